package org.hubmark.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Values;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Proves that what a document has as a type is read back as it was written. Finds in the byte code each type
 * that is asked of a document, makes one with a value for every component, writes and reads it.
 */
class DocumentRecordsTest {
    private static final Set<Class<?>> READERS =
            Set.of(Document.class, Row.class, Values.class, JsonFile.class);

    private static final Set<Class<?>> READ = new LinkedHashSet<>();

    @BeforeAll
    static void find() {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("org.hubmark.bench");
        for (JavaClass type : classes) {
            type.getMethodCallsFromSelf().stream()
                    .filter(call -> READERS.stream()
                            .anyMatch(reader -> call.getTargetOwner().isEquivalentTo(reader)))
                    .filter(call -> call.getTarget().getRawParameterTypes().stream()
                            .anyMatch(parameter -> parameter.isEquivalentTo(Class.class)))
                    .flatMap(call -> type.getReferencedClassObjects().stream()
                            .filter(named -> named.getOwner().equals(call.getOrigin())))
                    .map(named -> named.getRawType().reflect())
                    .filter(Class::isRecord)
                    .forEach(READ::add);
        }
    }

    @TestFactory
    Stream<DynamicTest> isReadAsItWasWritten() {
        assertThat(READ).hasSizeGreaterThan(10);
        return READ.stream()
                .map(type -> DynamicTest.dynamicTest(type.getSimpleName(), () -> {
                    Object written = value(type);
                    JsonNode tree = JsonFile.tree(written);
                    assertThatCode(() -> assertThat(JsonFile.tree(JsonFile.read(tree, type)))
                                    .isEqualTo(tree))
                            .as("%s", tree)
                            .doesNotThrowAnyException();
                }));
    }

    private static Object value(Type type) throws ReflectiveOperationException {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            if (generic.getRawType() == List.class) {
                return List.of(value(arguments[0]));
            }
            if (generic.getRawType() == Map.class) {
                return Map.of(value(arguments[0]), value(arguments[1]));
            }
            throw new IllegalStateException("no value of " + type);
        }
        Class<?> raw = (Class<?>) type;
        if (raw.isRecord()) {
            RecordComponent[] components = raw.getRecordComponents();
            Object[] values = new Object[components.length];
            for (int at = 0; at < values.length; at++) {
                values[at] = value(components[at].getGenericType());
            }
            var constructor = raw.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class[]::new));
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        }
        if (raw.isEnum()) {
            return raw.getEnumConstants()[0];
        }
        return switch (raw.getName()) {
            case "double", "java.lang.Double" -> 1.5;
            case "int", "java.lang.Integer" -> 2;
            case "long", "java.lang.Long" -> 3L;
            case "boolean", "java.lang.Boolean" -> true;
            case "java.lang.String", "java.lang.Object" -> "text";
            default -> throw new IllegalStateException("no value of " + type);
        };
    }
}
