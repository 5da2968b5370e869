package org.hubmark.bench.measure.builds;

import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The sources that this program was started from: finds commits in them and builds each in a git
 * worktree of its own below {@code target/builds}, which is kept and used again. One thread.
 */
public final class Checkout {
    /** What stands for the sources as they are, without a commit. */
    private static final Set<String> WORKING_TREE = Set.of(".", "worktree");

    /** Ends a commit, as git says it, whose files were changed since. */
    private static final String DIRTY = "-dirty";

    private static final Duration END_TIMEOUT = Duration.ofSeconds(5);

    private final Path root;
    private final Consumer<String> say;

    /**
     * Looks at sources.
     *
     * @param root their folder
     * @param say gets a line for each build that is made
     */
    public Checkout(Path root, Consumer<String> say) {
        this.root = root;
        this.say = say;
    }

    /**
     * {@return the builds of these commits, ready to be started} Every name is looked up before
     * anything is built.
     *
     * @param refs commits, tags, branches, or {@code .} or {@code worktree} for the sources as they
     *     are now; one may be named more than once
     * @throws UserError if one isn't known or can't be built
     */
    public List<Build> builds(List<String> refs) throws IOException, InterruptedException {
        List<Build> builds = new ArrayList<>();
        for (String ref : refs) {
            builds.add(find(ref, String.valueOf((char) ('A' + builds.size()))));
        }
        // The sources themselves were built by the script that started this.
        Set<Path> ready = new HashSet<>(Set.of(root));
        for (Build build : builds) {
            if (ready.add(build.root())) {
                make(build);
            }
        }
        return builds;
    }

    private Build find(String ref, String label) throws IOException, InterruptedException {
        if (WORKING_TREE.contains(ref)) {
            String commit = workingCommit();
            return new Build(label, ref, commit, changes(commit), null, root);
        }
        requireGit();
        Said commit = git(root, "rev-parse", "--verify", "--quiet", ref + "^{commit}");
        if (commit.failed()) {
            throw UserError.usage("--builds: '" + ref + "' is not a commit, tag or branch of"
                    + " " + root
                    + "; '.' stands for the working tree");
        }
        Said title = git(root, "log", "-1", "--format=%s", commit.text());
        return new Build(
                label,
                ref,
                commit.text(),
                null,
                title.text(),
                root.resolve("target/builds").resolve(commit.text()));
    }

    /** A folder below the checkout of something else is no checkout of ours. */
    private void requireGit() throws IOException, InterruptedException {
        Said top = git(root, "rev-parse", "--show-toplevel");
        if (top.failed() || !Files.isSameFile(Path.of(top.text()), root)) {
            throw UserError.usage("--builds: " + root
                    + " is not a git checkout, so that '.' is the only build there is");
        }
    }

    private @Nullable String workingCommit() throws IOException, InterruptedException {
        try {
            Said said = git(root, "describe", "--always", "--abbrev=40", "--dirty", "--exclude=*");
            return said.failed() ? null : said.text();
        } catch (UserError e) {
            // There is no git, and none is needed.
            return null;
        }
    }

    /** A working tree may change and keep its commit. */
    private @Nullable String changes(@Nullable String commit)
            throws IOException, InterruptedException {
        if (commit == null || !commit.endsWith(DIRTY)) {
            return null;
        }
        // A commit that no branch has; its tree is that of the files as they are.
        Said made = git(root, "stash", "create");
        Said tree = git(root, "rev-parse", made.lastLine() + "^{tree}");
        return made.failed() || tree.failed() ? null : tree.text();
    }

    private void make(Build build) throws IOException, InterruptedException {
        if (Files.exists(build.root().resolve(".git"))) {
            requireUnchanged(build);
        } else {
            Files.createDirectories(build.root().getParent());
            // Forced, since git remembers a worktree that mvn clean has removed.
            Said added = git(
                    root,
                    "worktree",
                    "add",
                    "--force",
                    "--detach",
                    build.root().toString(),
                    String.valueOf(build.commit()));
            if (added.failed()) {
                throw UserError.failed(build.ref() + " can't be checked out: " + added.lastLine());
            }
        }
        if (!Files.isExecutable(build.script())) {
            throw UserError.failed(build.ref() + " can't be built: it has no script hubmark");
        }
        say.accept("build of " + build.ref() + " in " + build.root());
        // The script builds what is older than its sources, and then any command will do.
        ProcessBuilder script = new ProcessBuilder(build.script().toString(), "--version");
        script.environment().remove("HUBMARK_BUILT");
        script.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Said said = run(script);
        if (said.failed()) {
            throw UserError.failed(build.ref() + " can't be built: "
                    + said.lastLine().replaceFirst("^hubmark: ", ""));
        }
    }

    private void requireUnchanged(Build build) throws IOException, InterruptedException {
        Said head = git(build.root(), "rev-parse", "HEAD");
        Said changes = git(build.root(), "status", "--porcelain");
        if (head.failed()
                || changes.failed()
                || !head.text().equals(build.commit())
                || !changes.text().isEmpty()) {
            throw UserError.failed(build.root() + " is no longer " + build.ref()
                    + " alone; take it away with: git worktree remove --force " + build.root());
        }
    }

    private static Said git(Path folder, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString()));
        command.addAll(List.of(arguments));
        return run(new ProcessBuilder(command));
    }

    /** Output of a program on both streams, and its exit code. */
    private record Said(int exitCode, String text) {
        boolean failed() {
            return exitCode != 0;
        }

        String lastLine() {
            return text.lines().reduce("it printed nothing", (first, last) -> last);
        }
    }

    /** Runs it to its end; when we are interrupted, to an early one. */
    private static Said run(ProcessBuilder program) throws IOException, InterruptedException {
        // Waiting for a file can be interrupted, reading from a pipe can't.
        Path output = Files.createTempFile("hubmark-builds-", ".txt");
        try {
            Process process =
                    start(program.redirectErrorStream(true).redirectOutput(output.toFile()));
            try {
                int exitCode = process.waitFor();
                return new Said(
                        exitCode,
                        Files.readString(output, StandardCharsets.UTF_8).trim());
            } finally {
                end(process);
            }
        } finally {
            Files.delete(output);
        }
    }

    private static Process start(ProcessBuilder program) throws IOException {
        try {
            return program.start();
        } catch (IOException e) {
            throw UserError.failed("--builds needs " + program.command().getFirst()
                    + ", which can't be started (" + e.getMessage() + ")");
        }
    }

    /** By SIGTERM, on which git takes away what it had half made; then by SIGKILL. */
    private static void end(Process process) {
        if (!process.isAlive()) {
            return;
        }
        List<ProcessHandle> all = Stream.concat(
                        process.descendants(), Stream.of(process.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroy);
        all.forEach(one -> one.onExit()
                .completeOnTimeout(one, END_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .join());
        all.forEach(ProcessHandle::destroyForcibly);
    }
}
