package org.hubmark.bench.command;

import org.hubmark.core.QueueId;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a queue id. */
final class QueueIdConverter implements ITypeConverter<QueueId> {
    @Override
    public QueueId convert(String text) {
        try {
            return QueueId.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
