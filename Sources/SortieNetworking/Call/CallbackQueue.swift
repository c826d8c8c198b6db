/// The default actor of callbacks; it calls those of all calls of a client one after another.
actor CallbackQueue {}
