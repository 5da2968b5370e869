package org.hubmark.bench.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * One connection of the sink. While an answer is held back nothing further is read. Lives on its
 * event loop.
 */
final class SinkSession extends ChannelInboundHandlerAdapter {
    private static final int COMMAND_OCTETS_MAX = 4096;
    private static final int NUMBER_DIGITS_MAX = 15;
    private static final byte[] END = {'\r', '\n', '.', '\r', '\n'};

    private final SinkServer.Behaviour behaviour;
    private final SinkServer.Counters counters;

    private final StringBuilder command = new StringBuilder();
    private @Nullable ByteBuf held;
    private @Nullable ByteBuf replies;
    private boolean inData;
    private long chunkLeft;
    private boolean chunkLast;
    private boolean waiting;
    private boolean mail;
    private int recipients;
    private long contentBytes;
    private int matched;

    SinkSession(SinkServer.Behaviour behaviour, SinkServer.Counters counters) {
        this.behaviour = behaviour;
        this.counters = counters;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        say(context, "220 sink.hubmark.example " + (behaviour.lmtp() ? "LMTP" : "ESMTP") + " sink");
        flush(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object received) {
        ByteBuf more = (ByteBuf) received;
        held = held == null ? more : Unpooled.wrappedBuffer(held, more);
        if (!waiting) {
            consume(context);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        flush(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (held != null) {
            held.release();
            held = null;
        }
        if (replies != null) {
            replies.release();
            replies = null;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        var unused = context.close();
    }

    private void consume(ChannelHandlerContext context) {
        ByteBuf in = held;
        while (in != null && in.isReadable() && !waiting) {
            if (inData) {
                data(context, in);
            } else if (chunkLeft > 0) {
                int octets = (int) Math.min(chunkLeft, in.readableBytes());
                in.skipBytes(octets);
                contentBytes += octets;
                chunkLeft -= octets;
                if (chunkLeft == 0) {
                    chunkEnd(context);
                }
            } else {
                line(context, in);
            }
        }
        if (in != null && !in.isReadable()) {
            in.release();
            held = null;
        }
    }

    /** Skips content up to its end, which may come in pieces; dots put in by stuffing don't count. */
    private void data(ChannelHandlerContext context, ByteBuf in) {
        while (in.isReadable()) {
            if (matched == 0) {
                int at = in.indexOf(in.readerIndex(), in.writerIndex(), (byte) '\r');
                int octets = (at < 0 ? in.writerIndex() : at) - in.readerIndex();
                contentBytes += octets;
                in.skipBytes(octets);
                if (at < 0) {
                    return;
                }
            }
            byte octet = in.readByte();
            contentBytes++;
            if (octet == END[matched]) {
                if (++matched == END.length) {
                    inData = false;
                    contentBytes -= 3;
                    end(context);
                    return;
                }
            } else {
                if (matched >= 3) {
                    contentBytes--;
                }
                matched = octet == '\r' ? 1 : 0;
            }
        }
    }

    private void line(ChannelHandlerContext context, ByteBuf in) {
        while (in.isReadable()) {
            char octet = (char) (in.readByte() & 0xff);
            if (octet == '\n') {
                String line = command.toString().stripTrailing();
                command.setLength(0);
                command(context, line);
                return;
            }
            if (command.length() >= COMMAND_OCTETS_MAX) {
                say(context, "500 5.5.2 Line too long");
                flush(context);
                var unused = context.close();
                return;
            }
            command.append(octet);
        }
    }

    private void command(ChannelHandlerContext context, String line) {
        String[] words = line.split(" ", -1);
        switch (words[0].toUpperCase(Locale.ROOT)) {
            case "EHLO", "LHLO" ->
                say(
                        context,
                        "250-sink.hubmark.example\r\n250-PIPELINING\r\n250-8BITMIME\r\n"
                                + "250-CHUNKING\r\n250-BINARYMIME\r\n250 SIZE 0");
            case "HELO" -> say(context, "250 sink.hubmark.example");
            case "MAIL" -> {
                mail = true;
                say(context, "250 2.1.0 Ok");
            }
            case "RCPT" -> {
                if (mail) {
                    recipients++;
                }
                say(context, mail ? "250 2.1.5 Ok" : "503 5.5.1 MAIL first");
            }
            case "DATA" -> {
                inData = recipients > 0;
                matched = 2;
                say(context, inData ? "354 Go ahead" : "503 5.5.1 RCPT first");
            }
            case "BDAT" -> chunk(context, words);
            case "RSET" -> {
                reset();
                say(context, "250 2.0.0 Ok");
            }
            case "NOOP" -> say(context, "250 2.0.0 Ok");
            case "QUIT" -> {
                say(context, "221 2.0.0 Bye");
                flush(context);
                var unused = context.close();
            }
            default -> say(context, "500 5.5.1 Unknown command");
        }
    }

    private void chunk(ChannelHandlerContext context, String[] words) {
        if (words.length < 2 || !isNumber(words[1])) {
            say(context, "501 5.5.4 BDAT takes a number of octets");
            return;
        }
        chunkLeft = Long.parseLong(words[1]);
        chunkLast = words.length > 2 && words[2].equalsIgnoreCase("LAST");
        if (chunkLeft == 0) {
            chunkEnd(context);
        }
    }

    private void chunkEnd(ChannelHandlerContext context) {
        if (recipients == 0) {
            say(context, "503 5.5.1 RCPT first");
        } else if (chunkLast) {
            end(context);
        } else {
            say(context, "250 2.0.0 Chunk taken");
        }
    }

    private void end(ChannelHandlerContext context) {
        long heldBackNanos = behaviour.heldBackNanos().getAsLong();
        if (heldBackNanos == 0) {
            answer(context);
            return;
        }
        waiting = true;
        context.channel().config().setAutoRead(false);
        var unused = context.executor()
                .schedule(
                        () -> {
                            waiting = false;
                            answer(context);
                            consume(context);
                            flush(context);
                            context.channel().config().setAutoRead(true);
                        },
                        heldBackNanos,
                        TimeUnit.NANOSECONDS);
    }

    private void answer(ChannelHandlerContext context) {
        String reply = counters.answer(behaviour, contentBytes, recipients);
        for (int i = 0; i < (behaviour.lmtp() ? recipients : 1); i++) {
            say(context, reply);
        }
        reset();
    }

    private void reset() {
        mail = false;
        recipients = 0;
        contentBytes = 0;
    }

    /** Replies leave together, when everything that was read is consumed. */
    private void say(ChannelHandlerContext context, String line) {
        if (replies == null) {
            replies = context.alloc().buffer();
        }
        ByteBufUtil.writeAscii(replies, line);
        replies.writeByte('\r').writeByte('\n');
    }

    private void flush(ChannelHandlerContext context) {
        ByteBuf said = replies;
        if (said != null) {
            replies = null;
            var unused = context.writeAndFlush(said);
        }
    }

    private static boolean isNumber(String word) {
        return !word.isEmpty()
                && word.length() <= NUMBER_DIGITS_MAX
                && word.chars().allMatch(letter -> letter >= '0' && letter <= '9');
    }
}
