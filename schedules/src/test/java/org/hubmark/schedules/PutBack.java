package org.hubmark.schedules;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A race that the history has mended, put back: in one method calls go to others.
 *
 * @param name in commands and files
 * @param scenario that has to find it
 * @param type the class that is changed
 * @param method the method of it
 * @param calls what is called in it, as {@code owner.name}, and the static method that is called in its
 *     place, likewise
 */
record PutBack(
        String name, String scenario, String type, String method, Map<String, String> calls) {
    private static final String QUEUE = "org/hubmark/queue/";
    private static final String DELIVERY = "org/hubmark/hub/delivery/";

    /** The races, with the commit that mended or forestalled each. */
    static final List<PutBack> ALL = List.of(
            // c41d135c
            new PutBack(
                    "not-withdrawn",
                    "store-operator",
                    QUEUE + "GroupBuilder",
                    "addOperate",
                    Map.of(QUEUE + "Messages.withdraw", QUEUE + "StoreMutations.notWithdrawn")),
            // b5443fb2
            new PutBack(
                    "database-first",
                    "store-dead-letters",
                    QUEUE + "Messages",
                    "deadLetters",
                    Map.of(
                            QUEUE + "Messages.deadInLog",
                            QUEUE + "StoreMutations.deadInLogLate",
                            QUEUE + "table/QueueDatabase.scanRows",
                            QUEUE + "StoreMutations.rowsBefore")),
            // 1e8c948e
            new PutBack(
                    "reclaimer-left",
                    "store-reclaim",
                    QUEUE + "Checkpointer",
                    "run",
                    Map.of(QUEUE + "SpaceReclaimer.stop", QUEUE + "StoreMutations.notStopped")),
            // 1cb040c6
            new PutBack(
                    "last-lot-kept",
                    "hub-stop",
                    DELIVERY + "Dispatcher",
                    "stop",
                    Map.of(
                            DELIVERY + "ActiveWindow.close",
                            DELIVERY + "DispatcherMutations.closeOnce")),
            // 03326e28
            new PutBack(
                    "late-change-kept",
                    "store-close",
                    QUEUE + "Committer",
                    "put",
                    Map.of(
                            QUEUE + "Committer.takeBackIfEnded",
                            QUEUE + "StoreMutations.notTakenBack")));

    /** {@return the mutant of a name} */
    static PutBack of(String name) {
        return ALL.stream()
                .filter(mutant -> mutant.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no mutant is called " + name));
    }

    /** Writes the class as it is changed below a folder, to be put in front of the class path. */
    void write(Path classes) throws IOException {
        Path file = classes.resolve(type + ".class");
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        try (InputStream in = ClassLoader.getSystemResourceAsStream(type + ".class")) {
            Files.write(file, changed(Objects.requireNonNull(in, type)));
        }
    }

    private byte[] changed(InputStream in) throws IOException {
        int[] changes = {0};
        ClassReader reader = new ClassReader(in);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access,
                            String called,
                            String descriptor,
                            String signature,
                            String[] exceptions) {
                        MethodVisitor code = super.visitMethod(
                                access, called, descriptor, signature, exceptions);
                        return called.equals(method) ? new Code(code, changes) : code;
                    }
                },
                0);
        if (changes[0] < calls.size()) {
            throw new IllegalStateException(name + ": in " + type + "." + method + " only "
                    + changes[0] + " calls are there of " + calls.keySet());
        }
        return writer.toByteArray();
    }

    /** Works on the instructions of the method. */
    private final class Code extends MethodVisitor {
        private final int[] changes;

        Code(MethodVisitor code, int[] changes) {
            super(Opcodes.ASM9, code);
            this.changes = changes;
        }

        @Override
        public void visitMethodInsn(
                int opcode, String owner, String called, String descriptor, boolean isInterface) {
            String instead = calls.get(owner + "." + called);
            if (instead == null) {
                super.visitMethodInsn(opcode, owner, called, descriptor, isInterface);
                return;
            }
            changes[0]++;
            int dot = instead.indexOf('.');
            super.visitMethodInsn(
                    Opcodes.INVOKESTATIC,
                    instead.substring(0, dot),
                    instead.substring(dot + 1),
                    "(L" + owner + ";" + descriptor.substring(1),
                    false);
        }
    }
}
