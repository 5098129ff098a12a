package bloomery

import "bloomery/internal/fault"

// An Error is what every refusal of this module is: a code, the reason, and the byte offset where bytes are wrong.
type Error = fault.Error

// A Code says what kind of thing went wrong. It is an error itself: errors.Is(err, bloomery.Corrupt).
type Code = fault.Code

// The codes of the specification. A call that ends with one of the last three has changed nothing.
const (
	InvalidArgument = fault.InvalidArgument
	TooLarge        = fault.TooLarge
	OutOfMemory     = fault.OutOfMemory
	Unattainable    = fault.Unattainable
	Corrupt         = fault.Corrupt
	Unsupported     = fault.Unsupported
	Incompatible    = fault.Incompatible
	IO              = fault.IO
	Full            = fault.Full          // no room for the key
	NotPresent      = fault.NotPresent    // the key to erase is not in the filter
	TooManyCopies   = fault.TooManyCopies // the key is in the filter as often as the kind can hold it
)

// NoOffset is the Offset of an Error that blames no byte.
const NoOffset = fault.NoOffset
