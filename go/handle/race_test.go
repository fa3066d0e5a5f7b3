//go:build race

package handle_test

const raceEnabled = true
