// A user of the library writes one import: the nouns come along.
@_exported public import Model
