package org.hubmark.smtp;

/** Lets everything pass. A receiver that has it asks nobody, so it costs nothing. */
public record OpenPolicy() implements SmtpPolicy {}
