#!/bin/sh
# An Apache James of its own, on the loopback address.
#   james.sh start PORT DATA    runs it in the foreground, with all its files below DATA
#   james.sh read DATA TO       writes each message in its queue as a file into TO
#   james.sh fetch | version    gets it without installing it (see common.sh); prints its version
# Needs a JDK (17) and Maven. James.java puts it together from its modules: its SMTP server and its queue on
# ActiveMQ with KahaDB, as in its JPA server. Nothing takes mail out of the queue. The queue has the whole
# paths of its files, so DATA is shown at one path whatever its name is; takes root.
set -eu
. "$(dirname -- "$0")/common.sh"
own_mounts=yes
program=$files/classes
release=3.8.1

fetch() {
    command -v mvn >/dev/null || fail 'mvn not found; apt-get install maven'
    cat >"$files/pom.xml" <<END
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>peers</groupId> <artifactId>james</artifactId> <version>1</version> <packaging>pom</packaging>
  <dependencyManagement><dependencies><dependency>
    <groupId>org.apache.james</groupId> <artifactId>james-project</artifactId> <version>$release</version>
    <type>pom</type> <scope>import</scope>
  </dependency></dependencies></dependencyManagement>
  <dependencies>
    <dependency><groupId>org.apache.james</groupId> <artifactId>james-server-memory-app</artifactId></dependency>
    <dependency><groupId>org.apache.james</groupId> <artifactId>james-server-queue-activemq</artifactId></dependency>
  </dependencies>
</project>
END
    mvn -q -B -f "$files/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies \
        -DoutputDirectory="$files/lib" -DincludeScope=runtime >&2
    javac -nowarn -d "$files/classes" -cp "$files/lib/*" "$peers/James.java" >&2
}

version() {
    echo "$release"
}

configure() {
    mkdir -p "$data/conf" "$data/tmp"
    cat >"$data/conf/smtpserver.xml" <<END
<smtpservers>
  <smtpserver enabled="true">
    <jmxName>smtpserver</jmxName>
    <bind>127.0.0.1:$port</bind>
    <connectionBacklog>200</connectionBacklog>
    <tls socketTLS="false" startTLS="false"/>
    <connectiontimeout>360</connectiontimeout>
    <connectionLimit>0</connectionLimit>
    <connectionLimitPerIP>0</connectionLimitPerIP>
    <auth><announce>never</announce></auth>
    <authorizedAddresses>127.0.0.0/8</authorizedAddresses>
    <verifyIdentity>false</verifyIdentity>
    <maxmessagesize>0</maxmessagesize>
    <addressBracketsEnforcement>true</addressBracketsEnforcement>
    <handlerchain>
      <handler class="org.apache.james.smtpserver.CoreCmdHandlerLoader"/>
    </handlerchain>
  </smtpserver>
</smtpservers>
END
    # Without these it does not start; nothing comes to them.
    cat >"$data/conf/mailetcontainer.xml" <<END
<mailetcontainer enableJmx="false">
  <context><postmaster>postmaster</postmaster></context>
  <spooler><threads>1</threads> <errorRepository>memory://var/mail/error/</errorRepository></spooler>
  <processors>
    <processor state="root"><mailet match="All" class="Null"/></processor>
    <processor state="error"><mailet match="All" class="Null"/></processor>
    <processor state="transport">
      <mailet match="All" class="RemoveMimeHeader"><name>bcc</name></mailet>
      <mailet match="All" class="Null"/>
    </processor>
  </processors>
</mailetcontainer>
END
    cat >"$data/conf/logback.xml" <<END
<configuration>
  <appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%d %-5level %logger{15} %msg%n</pattern></encoder>
  </appender>
  <root level="WARN"><appender-ref ref="OUT"/></root>
</configuration>
END
}

start() {
    mkdir /run/james
    mount --bind "$data" /run/james
    data=/run/james
    configure
    rm -f "$data/reader"
    exec java -Dworking.directory="$data" -Dlogback.configurationFile="$data/conf/logback.xml" \
        -Djava.io.tmpdir="$data/tmp" -cp "$files/classes:$files/lib/*" James "$data"
}

read_back() {
    python3 -c 'import sys, urllib.request; urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}{sys.argv[2]}")' \
        "$(cat "$data/reader")" "$to"
}

peer "$@"
