package org.hubmark.bench.kit.document;

import org.jspecify.annotations.Nullable;

/**
 * Program that measured.
 *
 * @param version of Hubmark; null where it isn't known
 * @param commit of the sources; null where it isn't known
 */
public record Tool(@Nullable String version, @Nullable String commit) {}
