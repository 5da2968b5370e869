package org.hubmark.bench.cli;

import org.hubmark.bench.measure.matrix.CacheState;
import org.hubmark.bench.measure.matrix.Layout;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How the options of a matrix are read; each says what is allowed. */
final class MatrixConverters {
    private MatrixConverters() {}

    /** one, apart, three, striped. */
    static final class LayoutName implements ITypeConverter<Layout> {
        @Override
        public Layout convert(String text) {
            try {
                return Layout.named(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** on or off. */
    static final class Cache implements ITypeConverter<CacheState> {
        @Override
        public CacheState convert(String text) {
            try {
                return CacheState.named(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
