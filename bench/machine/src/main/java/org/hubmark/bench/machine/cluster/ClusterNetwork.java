package org.hubmark.bench.machine.cluster;

/**
 * How the hosts of a cluster are connected, each of them a network namespace with a link of its own to
 * one switch.
 *
 * @param brokersApart whether each broker has a host of its own too; else it is on that of the bookie of
 *     its number
 */
public record ClusterNetwork(boolean brokersApart) {}
