/** What a qualification found: counters, the catalogue of columns, the judgement, qualification.json. */
@NullMarked
package org.hubmark.bench.qualify.result;

import org.jspecify.annotations.NullMarked;
