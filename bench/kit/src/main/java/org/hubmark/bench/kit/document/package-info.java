/**
 * The one document of all studies: what was counted, and the figures that are made of it. What a study
 * says of itself ({@link org.hubmark.bench.kit.document.Kind}) is enough to write its file and read it
 * back, to check it, to draw it and to compare it.
 */
@NullMarked
package org.hubmark.bench.kit.document;

import org.jspecify.annotations.NullMarked;
