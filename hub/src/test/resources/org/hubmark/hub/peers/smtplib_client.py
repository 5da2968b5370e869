import smtplib, ssl, sys
way, port, ca, sender, recipients, *files = sys.argv[1:]
context = ssl.create_default_context(cafile=ca)
if way == 'TLS':
    server = smtplib.SMTP_SSL('127.0.0.1', int(port), context=context)
else:
    server = smtplib.SMTP('127.0.0.1', int(port))
if way == 'STARTTLS':
    server.starttls(context=context)
for file in files:
    content = open(file, 'rb').read().replace(b'\n', b'\r\n')
    server.sendmail(sender, recipients.split(','), content, ['BODY=8BITMIME'])
server.quit()
