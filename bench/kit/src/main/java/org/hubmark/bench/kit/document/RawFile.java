package org.hubmark.bench.kit.document;

/**
 * A file that was written while it was measured.
 *
 * @param file its path, from the folder of the results on
 * @param sha256 of its octets, in hexadecimal
 */
public record RawFile(String file, String sha256, long bytes) {}
