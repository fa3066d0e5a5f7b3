module offcut.dev/go/adapters/wazero

go 1.26.0

require (
	github.com/tetratelabs/wazero v1.12.0
	offcut.dev/go v0.0.0
)

require golang.org/x/sys v0.49.0 // indirect

replace offcut.dev/go => ../..
