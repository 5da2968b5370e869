package org.hubmark.bench.results;

/**
 * A file that was written while it was measured.
 *
 * @param file its path, from the folder of results.json on
 * @param sha256 of its octets, in hexadecimal
 */
public record RawFile(String file, String sha256, long bytes) {}
