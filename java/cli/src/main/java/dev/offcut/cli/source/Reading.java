package dev.offcut.cli.source;

import dev.offcut.cli.digest.Digest;

/**
 * What a source said.
 *
 * @param cutOff whether its end is missing, though nobody writes to it any more
 */
public record Reading(Digest digest, boolean cutOff) {}
