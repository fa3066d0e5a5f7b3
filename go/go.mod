module offcut.dev/go

go 1.26
