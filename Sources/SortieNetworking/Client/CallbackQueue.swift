/// Where callbacks are called when nothing else is said: one after the other, of all calls of a client (S0.18).
actor CallbackQueue {}
