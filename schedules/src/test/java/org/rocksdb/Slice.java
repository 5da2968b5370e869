package org.rocksdb;

/** A key. */
public final class Slice extends AbstractSlice<byte[]> {
    private final byte[] octets;

    public Slice(byte[] octets) {
        super(0);
        this.octets = octets;
    }

    byte[] octets() {
        return octets;
    }

    @Override
    protected byte[] data0(long handle) {
        return octets;
    }

    @Override
    public void removePrefix(int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void clear() {
        throw new UnsupportedOperationException();
    }
}
