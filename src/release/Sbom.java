import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes the bill of materials of a packed file from that of a module: {@code java Sbom.java BOM OUTPUT NAME VERSION
 * [TYPE,NAME,VERSION,LICENCE,PURL]...}. The rest is what is packed beside the module's libraries.
 */
final class Sbom {
    private Sbom() {}

    public static void main(String[] arguments) throws IOException {
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ObjectNode bom = (ObjectNode) mapper.readTree(Path.of(arguments[0]).toFile());
        ObjectNode subject = (ObjectNode) bom.path("metadata").path("component");
        subject.put("name", arguments[2]).put("version", arguments[3]).put("type", "application");
        ArrayNode components = (ArrayNode) bom.get("components");
        for (int i = 4; i < arguments.length; i++) {
            String[] parts = arguments[i].split(",", 5);
            ObjectNode component = components.addObject();
            component.put("type", parts[0]).put("bom-ref", parts[4]).put("name", parts[1]);
            component.put("version", parts[2]).put("purl", parts[4]);
            component.putArray("licenses").addObject().putObject("license").put("name", parts[3]);
        }
        Files.writeString(Path.of(arguments[1]), mapper.writeValueAsString(bom) + "\n");
    }
}
