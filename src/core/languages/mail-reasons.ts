/** Why the mail server did not accept an e-mail, and what an administrator of the installation can do. */
export const MAIL_REASONS = {
  'mail-not-configured':
    'No mail server is configured. Set LECTERN_SMTP_URL and LECTERN_MAIL_FROM, and restart the server',
  'mail-test-needs-address': 'Your account has no e-mail address that can receive mail. Send one as `email`',

  // What failed. `response` is that of the mail server, or the error of the connection.
  'mail-host-unknown': 'The host {host} cannot be resolved ({response}).',
  'mail-server-silent': '{server} does not respond.',
  'mail-server-unreachable': 'No connection to {server} can be opened ({response}).',
  'mail-not-encrypted': 'The connection to {server} cannot be encrypted: {response}.',
  'mail-sign-in-refused': '{server} refused the user and password: {response}',
  'mail-sender-refused': '{server} refused the sender: {response}',
  'mail-recipient-refused': '{server} refused the recipient: {response}',
  'mail-message-refused': '{server} refused the message: {response}',
  'mail-response-unknown': '{server} did not respond as a mail server: {response}',

  // What to do
  'mail-advice-dns': 'Check the host in LECTERN_SMTP_URL, and the DNS of this machine.',
  'mail-advice-connect':
    'Check the host and port in LECTERN_SMTP_URL, and that a firewall lets this machine connect to it. Many providers block port 25; use 587 or 465.',
  'mail-advice-tls':
    'If an authority of your organization issued the certificate, name its file with LECTERN_SMTP_CA. Port 465 needs smtps://, port 587 smtp:// with LECTERN_SMTP_TLS=starttls. For a server without TLS in your own network, set LECTERN_SMTP_TLS=none.',
  'mail-advice-sign-in':
    'Check the user and password in LECTERN_SMTP_URL. Characters such as "@", ":" and "/" in them must be percent-encoded. Some providers need a password for applications.',
  'mail-advice-sender': 'Set LECTERN_MAIL_FROM to an address that the mail server lets this user send from.',
  'mail-advice-recipient':
    'Check the address. If the server refuses to relay, it does not accept mail from this machine or without a sign-in.',
  'mail-advice-message': 'The server refuses the message itself, for example as spam. Its response says why.',
  'mail-advice-response':
    'The server closed the connection or sent something that is not SMTP. Check that the port is that of a mail server.',
} as const
