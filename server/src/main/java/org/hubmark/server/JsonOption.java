package org.hubmark.server;

import picocli.CommandLine.Option;

/** JSON in place of text. */
final class JsonOption {
    @Option(
            names = "--json",
            description = "Prints JSON on standard output, and nothing else there. Default: text.")
    boolean on;
}
