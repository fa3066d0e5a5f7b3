package com.sun.jna;

/** A class of the name of JNA's that the agent does not understand, so that nobody counts it. */
public final class Memory {}
