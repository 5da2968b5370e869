package org.hubmark.pulsar;

import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Needs a cluster. */
@Retention(RetentionPolicy.RUNTIME)
@EnabledIfEnvironmentVariable(
        named = "HUBMARK_PULSAR",
        matches = "pulsar://.*",
        disabledReason = "HUBMARK_PULSAR names no cluster; .ci/cluster starts one")
@interface OnCluster {}
