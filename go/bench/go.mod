module offcut.dev/go/bench

go 1.26.0

require (
	golang.org/x/sys v0.49.0
	modernc.org/memory v1.12.1
	offcut.dev/go v0.0.0
)

replace offcut.dev/go => ../
