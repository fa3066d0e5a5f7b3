// Package linear checks with porcupine that the operations of longmap are linearizable. It records the results that
// goroutines got while a map grew and shrank, and searches for a sequential order that explains them. It is a module of
// its own, so that the main module does not depend on porcupine.
package linear
