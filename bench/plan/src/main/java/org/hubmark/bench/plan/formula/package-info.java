/** Formulas as data: read from text, evaluated, put into words, and written as JavaScript. */
@NullMarked
package org.hubmark.bench.plan.formula;

import org.jspecify.annotations.NullMarked;
