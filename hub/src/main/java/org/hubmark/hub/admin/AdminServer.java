package org.hubmark.hub.admin;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Answers GET, HEAD and POST over HTTP with short texts, by TCP or a Unix domain socket, one request a
 * connection; only a POST changes anything. One thread of its own, {@code admin}, on which the pages are made too: they are for one scraper,
 * not for a crowd.
 */
public final class AdminServer implements AutoCloseable {
    private static final int REQUEST_BYTES_MAX = 8 << 10;
    /** At once; further ones are closed. */
    private static final int CONNECTIONS_MAX = 32;

    private static final Duration REQUEST_TIME_MAX = Duration.ofSeconds(10);
    private static final String METHODS = "GET, HEAD, POST";

    private final EventLoopGroup loop;
    private final Channel listener;

    /**
     * A page.
     *
     * @param status the HTTP status
     * @param contentType its media type
     * @param body its text
     */
    public record Page(HttpResponseStatus status, String contentType, String body) {
        /** {@return a page of plain text} */
        public static Page text(HttpResponseStatus status, String body) {
            return new Page(status, "text/plain; charset=utf-8", body);
        }
    }

    /** Makes the answers, each for the path of a request. */
    public interface Pages {
        /** {@return the page of that path} */
        Page get(String path);

        /**
         * {@return what came of a request to change something}
         *
         * @param body of the request; empty when it has none
         */
        Page post(String path, String body);
    }

    /** Decides who is answered. */
    @FunctionalInterface
    public interface Guard {
        /** {@return what a request with such fields gets instead of a page; null to let it pass} */
        @Nullable
        Page refusal(HttpHeaders fields);
    }

    private AdminServer(EventLoopGroup loop, Channel listener) {
        this.loop = loop;
        this.listener = listener;
    }

    /**
     * Listens and serves.
     *
     * @param what is served, for messages: metrics
     * @throws IOException if the address can't be had; the message names it and says why
     */
    public static AdminServer start(SocketAddress listen, String what, Guard guard, Pages pages)
            throws IOException {
        return start(listen, what, CONNECTIONS_MAX, REQUEST_TIME_MAX, guard, pages);
    }

    /** The same, with limits of one's choice. */
    static AdminServer start(
            SocketAddress listen,
            String what,
            int connectionsMax,
            Duration requestTimeMax,
            Guard guard,
            Pages pages)
            throws IOException {
        AtomicInteger open = new AtomicInteger();
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("admin", true), NioIoHandler.newFactory());
        ChannelFuture bound = new ServerBootstrap()
                .group(loop)
                .channel(
                        listen instanceof InetSocketAddress
                                ? NioServerSocketChannel.class
                                : NioServerDomainSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.closeFuture().addListener(closed -> open.decrementAndGet());
                        if (open.incrementAndGet() > connectionsMax) {
                            var unused = channel.close();
                            return;
                        }
                        channel.pipeline()
                                .addLast(new AdminDeadlines(requestTimeMax))
                                .addLast(new HttpServerCodec())
                                .addLast(new HttpObjectAggregator(REQUEST_BYTES_MAX))
                                .addLast(new Responder(guard, pages));
                    }
                })
                .bind(listen)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
            Throwable cause = bound.cause();
            throw new IOException(
                    "cannot listen on "
                            + (listen instanceof InetSocketAddress address
                                    ? NetUtil.toSocketAddressString(address)
                                    : listen)
                            + " for " + what + ": " + cause.getMessage(),
                    cause);
        }
        return new AdminServer(loop, bound.channel());
    }

    /** {@return where it listens, with the port that was picked} */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** Answers the requests of one connection. */
    private static final class Responder extends SimpleChannelInboundHandler<FullHttpRequest> {
        private final Guard guard;
        private final Pages pages;

        Responder(Guard guard, Pages pages) {
            this.guard = guard;
            this.pages = pages;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            Page page = page(request);
            DefaultFullHttpResponse response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1,
                    page.status(),
                    Unpooled.copiedBuffer(page.body(), StandardCharsets.UTF_8));
            HttpUtil.setKeepAlive(response, false);
            HttpUtil.setContentLength(response, response.content().readableBytes());
            response.headers().set(HttpHeaderNames.CONTENT_TYPE, page.contentType());
            if (page.status().equals(HttpResponseStatus.METHOD_NOT_ALLOWED)) {
                response.headers().set(HttpHeaderNames.ALLOW, METHODS);
            }
            context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            // The peer erred or went away; there is nobody to tell.
            var unused = context.close();
        }

        private Page page(FullHttpRequest request) {
            Page refusal = request.decoderResult().isFailure()
                    ? Page.text(HttpResponseStatus.BAD_REQUEST, "not an HTTP request\n")
                    : guard.refusal(request.headers());
            if (refusal != null) {
                return refusal;
            }
            String path = new QueryStringDecoder(request.uri()).path();
            // Of the answer to a HEAD the codec sends the fields alone.
            if (request.method().equals(HttpMethod.GET)
                    || request.method().equals(HttpMethod.HEAD)) {
                return pages.get(path);
            }
            if (!request.method().equals(HttpMethod.POST)) {
                return Page.text(HttpResponseStatus.METHOD_NOT_ALLOWED, "only " + METHODS + "\n");
            }
            // Browsers name the page that a POST comes from; no page has business here.
            return request.headers().contains(HttpHeaderNames.ORIGIN)
                    ? Page.text(HttpResponseStatus.FORBIDDEN, "not from a web page\n")
                    : pages.post(path, request.content().toString(StandardCharsets.UTF_8));
        }
    }
}
