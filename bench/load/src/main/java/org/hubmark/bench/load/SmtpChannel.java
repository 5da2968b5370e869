package org.hubmark.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;

/**
 * The channel of one attempt to connect: commands and content out, replies in. What happens on a
 * channel that its connection has given up goes unheard. Lives on its lane's event loop.
 */
final class SmtpChannel {
    static final ByteBuf EHLO = command("EHLO load.hubmark.example\r\n");
    static final ByteBuf STARTTLS = command("STARTTLS\r\n");
    static final ByteBuf RSET = command("RSET\r\n");
    static final ByteBuf QUIT = command("QUIT\r\n");
    /** A message without content. */
    static final ByteBuf NOTHING = command(".\r\n");

    private final LoadConnection owner;
    private final ReplyParser replies = new ReplyParser();
    private @Nullable Channel channel;

    SmtpChannel(LoadConnection owner) {
        this.owner = owner;
    }

    /** Begins to connect; the owner hears of it by the greeting, or that it is gone. */
    void connect(Bootstrap bootstrap) {
        Bootstrap own = bootstrap.clone().handler(new Inbound());
        ChannelFuture connecting = own.connect();
        channel = connecting.channel();
        connecting.addListener(done -> {
            if (!done.isSuccess() && owner.isOn(this)) {
                owner.gone();
            }
        });
    }

    /** {@return the reply that came last} */
    String replyText() {
        return replies.text();
    }

    /** {@return the value of the queue id in the reply that came last, or -1} */
    long queueId() {
        return replies.queueId();
    }

    /** Begins a handshake; the owner hears of its end. */
    void startTls(ClientTls tls, InetSocketAddress target) {
        Channel to = channel();
        to.pipeline().addFirst(tls.handler(to.alloc(), target));
    }

    /** Sends a command that is ours to keep. */
    void say(ByteBuf command) {
        flush(command.retainedDuplicate());
    }

    /**
     * Sends the content of a message.
     *
     * @param random says where its body is cut
     */
    void writeContent(WireMessage message, long number, long random) {
        ByteBuf head = message.head(channel().alloc(), number);
        if (head != null) {
            write(head);
        }
        ByteBuf cut = message.cut(random);
        if (cut != null) {
            write(cut);
        }
        write(message.tail());
    }

    /** Takes ownership of the octets. */
    void write(ByteBuf octets) {
        Channel to = channel();
        var unused = to.write(octets, to.voidPromise());
    }

    /** Takes ownership of the octets. */
    void flush(ByteBuf octets) {
        write(octets);
        flush();
    }

    void flush() {
        channel().flush();
    }

    void close() {
        var unused = channel().close();
    }

    private Channel channel() {
        Channel current = channel;
        if (current == null) {
            throw new IllegalStateException("not connected");
        }
        return current;
    }

    private static ByteBuf command(String text) {
        return Unpooled.unreleasableBuffer(
                Unpooled.directBuffer().writeBytes(text.getBytes(US_ASCII)));
    }

    private final class Inbound extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object received) {
            ByteBuf octets = (ByteBuf) received;
            try {
                while (octets.isReadable() && owner.isOn(SmtpChannel.this)) {
                    int code = replies.next(octets, owner.needsText());
                    if (code == ReplyParser.MALFORMED) {
                        var unused = context.close();
                        return;
                    }
                    if (code != ReplyParser.INCOMPLETE) {
                        owner.reply(code);
                    }
                }
            } finally {
                octets.release();
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof SslHandshakeCompletionEvent handshake
                    && owner.isOn(SmtpChannel.this)) {
                owner.secured(handshake.isSuccess());
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (owner.isOn(SmtpChannel.this)) {
                owner.gone();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            var unused = context.close();
        }
    }
}
