module offcut.dev/go/linear

go 1.26.0

require offcut.dev/go v0.0.0

require github.com/anishathalye/porcupine v1.3.1

replace offcut.dev/go => ..
