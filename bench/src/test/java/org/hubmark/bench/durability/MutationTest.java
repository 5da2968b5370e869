package org.hubmark.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Proves that a broken build does not pass: the store's byte code is changed in one place, put in front
 * of the class path, and the command must find that the promise is broken. The same command passes
 * with the store as it is.
 */
@Timeout(300)
class MutationTest {
    private static final String STORE = "org/hubmark/queue/";
    private static final int QUIET_UNSAFE_SINCE = 23;

    @TempDir
    Path folder;

    @Test
    void theStoreAsItIsPasses() throws Exception {
        assertThat(durability(Files.createDirectories(folder.resolve("none")), "synced"))
                .isZero();
    }

    @Test
    void aSyncLeftOutIsFound() throws Exception {
        assertThat(durability(
                        mutated("Committer", "commit", "log/LogWriter", "sync", ""), "synced"))
                .isEqualTo(1);
    }

    @Test
    void aPeriodWithoutASyncIsFound() throws Exception {
        Path mutated = mutated("PeriodicSync", "sync", "log/LogWriter", "sync", "");
        assertThat(durability(mutated, "periodic=1ms")).isEqualTo(1);
    }

    @Test
    void aReplyBeforeTheSyncIsFound() throws Exception {
        Path mutated = mutated("Committer", "commit", "log/LogWriter", "sync", "committed");
        assertThat(durability(mutated, "synced")).isEqualTo(1);
    }

    @Test
    void aSegmentRecycledBeforeItsMailIsFlushedIsFound() throws Exception {
        Path mutated = mutated("Checkpointer", "checkpoint", "QueueDatabase", "flush", "");
        assertThat(durability(mutated, "synced")).isEqualTo(1);
    }

    /** {@return the exit code of a short run with some classes replaced} */
    private int durability(Path classes, String durability) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        if (Runtime.version().feature() >= QUIET_UNSAFE_SINCE) {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        command.add("-cp");
        command.add(classes + File.pathSeparator + System.getProperty("java.class.path"));
        command.addAll(List.of("org.hubmark.bench.Main", "durability", "--kinds=simulated"));
        command.addAll(
                List.of("--class=" + durability, "--crashes=24", "--output=" + classes + "-out"));
        Path said = classes.resolveSibling(classes.getFileName() + ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        if (process.exitValue() != 0) {
            // Broken by what was changed, and not by something else.
            assertThat(said).content().contains("promise broken").contains("--seed ");
        }
        return process.exitValue();
    }

    /** Leaves out the calls of one method in another one, or moves them behind a third call. */
    private Path mutated(
            String type, String method, String calledType, String called, String behind)
            throws IOException {
        Path classes = folder.resolve(type + "-" + called + "-" + behind);
        Path file = classes.resolve(STORE + type + ".class");
        Files.createDirectories(file.getParent());
        AtomicInteger changes = new AtomicInteger();
        try (InputStream in = ClassLoader.getSystemResourceAsStream(STORE + type + ".class")) {
            ClassReader reader = new ClassReader(in);
            ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
            reader.accept(
                    new ClassVisitor(Opcodes.ASM9, writer) {
                        @Override
                        public MethodVisitor visitMethod(
                                int access,
                                String name,
                                String descriptor,
                                String signature,
                                String[] exceptions) {
                            MethodVisitor code = super.visitMethod(
                                    access, name, descriptor, signature, exceptions);
                            return name.equals(method)
                                    ? new Edit(
                                            code, type, STORE + calledType, called, behind, changes)
                                    : code;
                        }
                    },
                    0);
            Files.write(file, writer.toByteArray());
        }
        assertThat(changes).as("instructions changed in %s.%s", type, method).hasPositiveValue();
        return classes;
    }

    /** Works on the instructions of one method. */
    private static final class Edit extends MethodVisitor {
        private final String type;
        private final String calledType;
        private final String called;
        private final String behind;
        private final AtomicInteger changes;

        Edit(
                MethodVisitor code,
                String type,
                String calledType,
                String called,
                String behind,
                AtomicInteger changes) {
            super(Opcodes.ASM9, code);
            this.type = type;
            this.calledType = calledType;
            this.called = called;
            this.behind = behind;
            this.changes = changes;
        }

        @Override
        public void visitMethodInsn(
                int opcode, String owner, String name, String descriptor, boolean isInterface) {
            if (owner.equals(calledType) && name.equals(called) && descriptor.equals("()V")) {
                super.visitInsn(Opcodes.POP);
                changes.incrementAndGet();
                return;
            }
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
            if (name.equals(behind)) {
                super.visitVarInsn(Opcodes.ALOAD, 0);
                super.visitFieldInsn(
                        Opcodes.GETFIELD, STORE + type, "writer", "L" + calledType + ";");
                super.visitMethodInsn(Opcodes.INVOKEVIRTUAL, calledType, called, "()V", false);
                changes.incrementAndGet();
            }
        }
    }
}
