module offcut.dev/go/bench

go 1.26.0

require (
	github.com/alphadose/haxmap v1.4.0
	github.com/google/pprof v0.0.0-20260906184651-6331bc6350fe
	github.com/orcaman/concurrent-map/v2 v2.0.1
	github.com/puzpuzpuz/xsync/v4 v4.5.0
	golang.org/x/sys v0.49.0
	modernc.org/memory v1.12.1
	offcut.dev/go v0.0.0
)

require golang.org/x/exp v0.0.0-20221031165847-c99f073a8326 // indirect

replace offcut.dev/go => ../
