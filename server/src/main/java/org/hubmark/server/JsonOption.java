package org.hubmark.server;

import picocli.CommandLine.Option;

/** JSON in place of text. */
final class JsonOption {
    @Option(names = "--json", description = "Prints JSON and nothing else. Default: text.")
    boolean on;
}
