package org.hubmark.bench.mail.document;

import org.jspecify.annotations.Nullable;

/**
 * Warm-up of the driver against a sink of its own, before it connected to the server.
 *
 * @param s how long that took, seconds
 * @param cpuUsPerMsg CPU time that its event loops took for a message at the end; null when nothing
 *     was sent
 * @param level whether that fell no more; null when it was too early to tell
 */
public record DriverWarmth(
        double s, @Nullable Double cpuUsPerMsg, @Nullable Boolean level) {}
