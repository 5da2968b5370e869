package org.hubmark.schedules;

import org.hubmark.hub.delivery.DispatcherMutations;
import org.hubmark.queue.StoreMutations;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A race that the history has mended, put back: calls of a class go to other methods. No seam of the store
 * lies where these races were. Class and methods are named as Java names them, so what is renamed or has
 * other parameters does not compile.
 *
 * @param name in commands
 * @param scenario that has to find it
 * @param type the class that is changed
 * @param calls what is called in its place, by what is called in it
 */
public record PutBack(
        String name, Scenario scenario, Class<?> type, Map<String, SerializedLambda> calls) {
    /** A method without arguments, called on an object. */
    public interface Call<A, R> extends Serializable {
        R call(A on) throws Exception;
    }

    /** A method without arguments or answer, called on an object. */
    public interface Order<A> extends Serializable {
        void call(A on) throws Exception;
    }

    /** A method with an argument, called on an object. */
    public interface Step<A, B> extends Serializable {
        void call(A on, B argument) throws Exception;
    }

    /** A method with two arguments, called on an object. */
    public interface Call2<A, B, C, R> extends Serializable {
        R call(A on, B first, C second) throws Exception;
    }

    public PutBack(String name, Scenario scenario, Class<?> type) {
        this(name, scenario, type, new HashMap<>());
    }

    /** {@return the races, in their order} */
    static Stream<PutBack> all() {
        return Stream.concat(StoreMutations.all(), DispatcherMutations.all());
    }

    public <A, R> PutBack with(Call<A, R> call, Call<A, R> instead) {
        return add(call, instead);
    }

    public <A> PutBack without(Order<A> call, Order<A> instead) {
        return add(call, instead);
    }

    public <A, B> PutBack without(Step<A, B> call, Step<A, B> instead) {
        return add(call, instead);
    }

    public <A, B, C, R> PutBack with(Call2<A, B, C, R> call, Call2<A, B, C, R> instead) {
        return add(call, instead);
    }

    private PutBack add(Serializable call, Serializable instead) {
        SerializedLambda called = method(call);
        calls.put(called.getImplClass() + "." + called.getImplMethodName(), method(instead));
        return this;
    }

    private static SerializedLambda method(Serializable reference) {
        try {
            Method write = reference.getClass().getDeclaredMethod("writeReplace");
            write.setAccessible(true);
            return (SerializedLambda) write.invoke(reference);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes the class as it is changed below a folder, to be put in front of the class path. */
    void write(Path classes) throws IOException {
        String path = type.getName().replace('.', '/') + ".class";
        Map<String, SerializedLambda> left = new HashMap<>(calls);
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        try (InputStream in = ClassLoader.getSystemResourceAsStream(path)) {
            new ClassReader(Objects.requireNonNull(in, path)).accept(changer(writer, left), 0);
        }
        if (!left.isEmpty()) {
            throw new IllegalStateException(name + ": " + type + " has no " + left.keySet());
        }
        Path file = classes.resolve(path);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.write(file, writer.toByteArray());
    }

    private ClassVisitor changer(ClassWriter writer, Map<String, SerializedLambda> left) {
        return new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(
                    int access, String name, String descriptor, String generics, String[] thrown) {
                MethodVisitor code = super.visitMethod(access, name, descriptor, generics, thrown);
                return new MethodVisitor(Opcodes.ASM9, code) {
                    @Override
                    public void visitMethodInsn(
                            int opcode, String owner, String called, String types, boolean face) {
                        SerializedLambda instead = calls.get(owner + "." + called);
                        if (instead == null) {
                            super.visitMethodInsn(opcode, owner, called, types, face);
                            return;
                        }
                        left.remove(owner + "." + called);
                        super.visitMethodInsn(
                                Opcodes.INVOKESTATIC,
                                instead.getImplClass(),
                                instead.getImplMethodName(),
                                instead.getImplMethodSignature(),
                                false);
                    }
                };
            }
        };
    }
}
