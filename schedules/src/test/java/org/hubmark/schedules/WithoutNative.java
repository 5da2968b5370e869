package org.hubmark.schedules;

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
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The classes of RocksDB with native methods that do nothing and return 0 or null: options can be set
 * without the native library. What the queue database works with is in this module, in RocksDB's package.
 */
final class WithoutNative {
    private static final String PACKAGE = "org/rocksdb/";

    private WithoutNative() {}

    /** Writes the classes of a jar below a folder, but those whose work is done elsewhere. */
    static void write(Path jar, Path folder) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : List.copyOf(zip.stream().toList())) {
                if (entry.getName().startsWith(PACKAGE) && entry.getName().endsWith(".class")) {
                    try (InputStream in = zip.getInputStream(entry)) {
                        Path file = folder.resolve(entry.getName());
                        Files.createDirectories(Objects.requireNonNull(file.getParent()));
                        Files.write(file, without(in));
                    }
                }
            }
        }
    }

    private static byte[] without(InputStream in) throws IOException {
        ClassReader reader = new ClassReader(in);
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access,
                            String name,
                            String descriptor,
                            String signature,
                            String[] exceptions) {
                        boolean isNative = (access & Opcodes.ACC_NATIVE) != 0;
                        MethodVisitor code = super.visitMethod(
                                access & ~Opcodes.ACC_NATIVE,
                                name,
                                descriptor,
                                signature,
                                exceptions);
                        if (isNative) {
                            returnNothing(code, Type.getReturnType(descriptor));
                        }
                        return code;
                    }
                },
                0);
        return writer.toByteArray();
    }

    private static void returnNothing(MethodVisitor code, Type type) {
        code.visitCode();
        switch (type.getSort()) {
            case Type.VOID -> {
                // Nothing to return.
            }
            case Type.LONG -> code.visitInsn(Opcodes.LCONST_0);
            case Type.DOUBLE -> code.visitInsn(Opcodes.DCONST_0);
            case Type.FLOAT -> code.visitInsn(Opcodes.FCONST_0);
            case Type.ARRAY, Type.OBJECT -> code.visitInsn(Opcodes.ACONST_NULL);
            default -> code.visitInsn(Opcodes.ICONST_0);
        }
        code.visitInsn(type.getOpcode(Opcodes.IRETURN));
        code.visitMaxs(0, 0);
        code.visitEnd();
    }
}
