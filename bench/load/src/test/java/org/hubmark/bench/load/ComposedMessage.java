package org.hubmark.bench.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;

import org.jspecify.annotations.Nullable;

/** What a driver would send as the content of one message. */
final class ComposedMessage {
    private ComposedMessage() {}

    /** {@return the content as it travels} */
    static byte[] wire(MessageSet messages, long number) {
        WireMessage message = messages.get(number);
        CompositeByteBuf all = Unpooled.compositeBuffer();
        add(all, message.head(UnpooledByteBufAllocator.DEFAULT, number));
        add(all, message.cut(messages.random(number)));
        add(all, message.tail());
        byte[] octets = new byte[all.readableBytes()];
        all.readBytes(octets).release();
        return octets;
    }

    private static void add(CompositeByteBuf all, @Nullable ByteBuf part) {
        if (part != null) {
            all.addComponent(true, part);
        }
    }
}
