package handleprof

import "encoding/binary"

// message is an encoded protocol buffer: fields, each a key and a value.
type message []byte

const (
	wireNumber = 0
	wireBytes  = 2
)

func (m *message) varint(v uint64) { *m = binary.AppendUvarint(*m, v) }

func (m *message) number(field int, v uint64) {
	m.varint(uint64(field)<<3 | wireNumber)
	m.varint(v)
}

func (m *message) bytes(field int, b []byte) {
	m.varint(uint64(field)<<3 | wireBytes)
	m.varint(uint64(len(b)))
	*m = append(*m, b...)
}
