package org.hubmark.testkit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test, or all tests of a class, of a hub whose queue is on a cluster: see {@link ClusterExtension}.
 * Tagged {@code cluster}, so that a build can leave them out.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Tag("cluster")
@ExtendWith(ClusterExtension.class)
public @interface OnCluster {}
