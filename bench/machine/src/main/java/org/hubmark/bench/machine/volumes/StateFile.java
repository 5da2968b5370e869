package org.hubmark.bench.machine.volumes;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.type.TypeReference;

import org.hubmark.core.FileOwners;
import org.hubmark.core.OutputFile;
import org.hubmark.hub.volumes.VolumesJson;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Remembers which test volumes were made. */
final class StateFile {
    private final Path file;

    StateFile(Path file) {
        this.file = file;
    }

    /**
     * {@return what was noted}
     *
     * @throws IOException also where another user could have put it there
     */
    List<TestVolume> read() throws IOException {
        String other = FileOwners.other(file);
        if (other != null) {
            throw new IOException("test volumes are not kept in " + file.getParent() + ": " + other
                    + ", who could have other files removed by their list; name another folder");
        }
        if (!Files.exists(file)) {
            return List.of();
        }
        try {
            return VolumesJson.MAPPER.readValue(
                    Files.readString(file), new TypeReference<List<TestVolume>>() {});
        } catch (JacksonException e) {
            throw new IOException(
                    file + " is not a list of test volumes: " + e.getOriginalMessage(), e);
        }
    }

    /** Notes one, in place of what was noted of its folder. */
    void put(TestVolume volume) throws IOException {
        List<TestVolume> all = new ArrayList<>(read());
        all.removeIf(one -> one.path().equals(volume.path()));
        all.add(volume);
        write(all);
    }

    void remove(TestVolume volume) throws IOException {
        List<TestVolume> all = new ArrayList<>(read());
        all.removeIf(one -> one.path().equals(volume.path()));
        write(all);
    }

    /** Nothing is left to remember. */
    void forget() throws IOException {
        Files.deleteIfExists(file);
    }

    private void write(List<TestVolume> volumes) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        OutputFile.write(file, VolumesJson.write(volumes));
    }
}
