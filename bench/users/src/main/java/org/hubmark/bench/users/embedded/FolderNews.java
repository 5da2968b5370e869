package org.hubmark.bench.users.embedded;

import com.icegreen.greenmail.store.FolderListener;
import com.icegreen.greenmail.store.MailFolder;

import jakarta.mail.Flags;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What happens to the open folder of a connection, told to its listeners when it is their turn: who has
 * begun to listen meanwhile is told too. Listeners come and go by the connection's thread.
 */
final class FolderNews implements FolderListener {
    private final MailFolder folder;
    private final Turn turn;
    private final List<FolderListener> listeners = new ArrayList<>();

    FolderNews(MailFolder folder, Turn turn) {
        this.folder = folder;
        this.turn = turn;
    }

    void add(FolderListener listener) {
        if (listeners.isEmpty()) {
            folder.addListener(this);
        }
        listeners.add(listener);
    }

    void remove(FolderListener listener) {
        listeners.remove(listener);
        if (listeners.isEmpty()) {
            folder.removeListener(this);
        }
    }

    @Override
    public void expunged(int number) {
        tell(listener -> listener.expunged(number));
    }

    @Override
    public void added(int number) {
        tell(listener -> listener.added(number));
    }

    @Override
    public void flagsUpdated(int number, Flags flags, @Nullable Long uid) {
        tell(listener -> listener.flagsUpdated(number, flags, uid));
    }

    @Override
    public void mailboxDeleted() {
        tell(FolderListener::mailboxDeleted);
    }

    private void tell(Consumer<FolderListener> news) {
        turn.take(() -> listeners.forEach(news));
    }
}
