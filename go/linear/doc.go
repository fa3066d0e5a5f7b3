// Package linear checks that the operations of longmap are linearizable, with porcupine: what goroutines saw while a map
// grew and shrank under them is compared with every order in which it could have happened one after the other. It is a module
// of its own, so that the main one does not depend on porcupine.
package linear
