const [way, port, ca, from, to, ...files] = process.argv.slice(2);
const fs = require('fs');
const transport = require('nodemailer').createTransport({
    host: '127.0.0.1', port: port, pool: true, maxConnections: 1,
    secure: way === 'TLS', requireTLS: way === 'STARTTLS', ignoreTLS: way === 'PLAIN',
    tls: {ca: fs.readFileSync(ca)}});
(async () => {
    for (const file of files) {
        await transport.sendMail({
            envelope: {from: from, to: to.split(',')}, raw: fs.readFileSync(file)});
    }
    transport.close();
})();
