package org.hubmark.bench.machine.volumes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Reads or writes blocks of a file at given places, in a process that an emulation is active in. */
final class DirectReadsMain {
    private DirectReadsMain() {}

    /**
     * Prints how long all of it took, in nanoseconds.
     *
     * @param arguments the file; {@code read}, {@code write} or {@code buffered}; octets of each block;
     *     then, for each thread, the places of its blocks: {@code 0,4096}
     */
    public static void main(String[] arguments) throws Exception {
        int bytes = Integer.parseInt(arguments[2]);
        try (FileChannel file = open(Path.of(arguments[0]), arguments[1])) {
            List<Callable<Integer>> threads = new ArrayList<>();
            for (int i = 3; i < arguments.length; i++) {
                String[] places = arguments[i].split(",", -1);
                threads.add(() -> go(file, arguments[1], bytes, places));
            }
            long begun = System.nanoTime();
            try (ExecutorService all = Executors.newFixedThreadPool(threads.size())) {
                for (Future<Integer> one : all.invokeAll(threads)) {
                    var unused = one.get();
                }
            }
            long took = System.nanoTime() - begun;
            System.out.println(took);
        }
    }

    private static FileChannel open(Path path, String what) throws IOException {
        if (what.equals("buffered")) {
            return FileChannel.open(path, StandardOpenOption.READ);
        }
        FileChannel file = DirectFiles.open(path);
        if (file == null) {
            throw new IOException("no direct I/O here");
        }
        return file;
    }

    private static int go(FileChannel file, String what, int bytes, String[] places)
            throws IOException {
        ByteBuffer buffer = DirectFiles.buffer(bytes);
        for (String place : places) {
            buffer.clear();
            if (what.equals("write")) {
                DirectFiles.write(file, buffer, Long.parseLong(place));
            } else if (file.read(buffer, Long.parseLong(place)) != bytes) {
                throw new IOException("a read fell short");
            }
        }
        return places.length;
    }
}
