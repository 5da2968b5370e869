package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A build of the store that is broken in one place.
 *
 * @param name what is wrong with it
 * @param type the class that is changed
 * @param methods the methods of it
 * @param edits the calls in it that are changed; each must be there
 */
record Mutant(String name, String type, List<String> methods, List<Edit> edits) {
    private static final String MUTATIONS = "org/hubmark/bench/cli/Mutations";

    /**
     * A change of the calls of one method: {@code without} leaves calls without a result out, {@code later}
     * moves them behind another call, where the object is in a field of this name, and {@code instead} calls
     * a method of {@link Mutations} in their place.
     *
     * @param more of later the field and the other call, of instead the method
     */
    record Edit(String what, String owner, String called, List<String> more) {
        boolean is(String kind, String of, String name) {
            return what.equals(kind) && owner.equals(of) && called.equals(name);
        }
    }

    /** Writes the class as it is changed below a folder, to be put in front of the class path. */
    void write(Path classes) throws IOException {
        Path file = classes.resolve(type + ".class");
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.write(file, changedClass());
    }

    /** {@return the class as it is changed} */
    byte[] changedClass() throws IOException {
        AtomicInteger[] changes =
                edits.stream().map(edit -> new AtomicInteger()).toArray(AtomicInteger[]::new);
        byte[] changed;
        try (InputStream in = ClassLoader.getSystemResourceAsStream(type + ".class")) {
            assertThat(in).as("%s: the class %s", name, type).isNotNull();
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
                            return methods.contains(called) ? new Code(code, changes) : code;
                        }
                    },
                    0);
            changed = writer.toByteArray();
        }
        for (int i = 0; i < changes.length; i++) {
            assertThat(changes[i])
                    .as("%s: calls changed in %s.%s by %s", name, type, methods, edits.get(i))
                    .hasPositiveValue();
        }
        return changed;
    }

    /** Works on the instructions of one method. */
    private final class Code extends MethodVisitor {
        private final AtomicInteger[] changes;

        Code(MethodVisitor code, AtomicInteger[] changes) {
            super(Opcodes.ASM9, code);
            this.changes = changes;
        }

        @Override
        public void visitMethodInsn(
                int opcode, String owner, String called, String descriptor, boolean isInterface) {
            for (int i = 0; i < edits.size(); i++) {
                Edit edit = edits.get(i);
                if (edit.is("later", owner, called)) {
                    leaveOut(descriptor);
                    return;
                }
                if (edit.is("without", owner, called)
                        && Type.getReturnType(descriptor).equals(Type.VOID_TYPE)) {
                    leaveOut(descriptor);
                } else if (edit.what().equals("later") && edit.more().get(1).equals(called)) {
                    String of = edit.owner();
                    super.visitMethodInsn(opcode, owner, called, descriptor, isInterface);
                    super.visitVarInsn(Opcodes.ALOAD, 0);
                    super.visitFieldInsn(
                            Opcodes.GETFIELD, type, edit.more().getFirst(), "L" + of + ";");
                    super.visitMethodInsn(Opcodes.INVOKEVIRTUAL, of, edit.called(), "()V", false);
                } else if (edit.is("instead", owner, called)) {
                    String arguments = opcode == Opcodes.INVOKESTATIC
                            ? descriptor
                            : "(L" + owner + ";" + descriptor.substring(1);
                    String mutation = edit.more().getFirst();
                    super.visitMethodInsn(
                            Opcodes.INVOKESTATIC, MUTATIONS, mutation, arguments, false);
                } else {
                    continue;
                }
                changes[i].incrementAndGet();
                return;
            }
            super.visitMethodInsn(opcode, owner, called, descriptor, isInterface);
        }

        /** Takes from the stack what a call takes. */
        private void leaveOut(String descriptor) {
            for (Type argument : List.of(Type.getArgumentTypes(descriptor)).reversed()) {
                super.visitInsn(argument.getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
            }
            super.visitInsn(Opcodes.POP);
        }
    }
}
