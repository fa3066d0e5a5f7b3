package dev.offcut.agent.code;

/** A call: where it is in the code of its method, and the index of what is called. */
public record Call(Member method, int at, int opcode, int called) {}
