/** Why the server refuses a request about the installation, and what its health checks find. */
export const INSTALLATION_REASONS = {
  'installation-admin-required':
    'This requires an administrator of the installation: an administrator of the organization that its first start created',
  'job-runs': 'The job {id} is running; try again when it has ended',
  'job-not-tried': 'The job {id} has not been tried yet; it runs at {time} without help',
  'job-waits-elsewhere':
    'The job {other} waits to do the same work and runs at {time}; delete this one instead',

  // Why a job failed. An e-mail has the reasons of the mail server.
  'job-kind-unknown': 'This version of Lectern has no jobs of the kind "{kind}"',
  'job-too-slow': 'The job took longer than {seconds} seconds',
  'job-ended-server': 'The server stopped while this job ran, for example because its memory was exhausted',
  'job-ended-servers':
    'The server stopped {count} times in a row while this job ran, for example because its memory was exhausted',
  'renderer-failing': 'The renderer at LECTERN_RENDERER_URL returned the status {status}',
  'update-url-failing': 'LECTERN_UPDATE_URL returned the status {status}',
  'update-url-without-version': 'The JSON at LECTERN_UPDATE_URL has no "version" such as "1.2.3"',

  // Health checks: what is wrong, and what to do
  'check-disk-full':
    'The disk with the data folder has only {percent} % free. Delete what is not needed, or make the disk larger, before writes fail',
  'check-files-fail':
    'Files cannot be stored or read. Check the bucket and the LECTERN_S3_ settings, or the disk with the data folder. {fault}',
  'check-mail-fails':
    'The mail server has not accepted an e-mail since {time}. Look at the error below, and check LECTERN_SMTP_URL and LECTERN_MAIL_FROM',
  'check-queue-old':
    'A job has been due for {minutes} minutes and has not run. Look in the log of the server for errors of the job queue, and restart the server if there are none',
  'check-clock':
    'The clocks of the server and the database differ by {seconds} seconds. Synchronize them, for example with NTP',
  'check-jobs-failed':
    '{count, plural, one {# job} other {# jobs}} failed for good. Look at the errors below, remove their cause, and retry the jobs',
  'check-secret-weak':
    'LECTERN_SECRET has few different characters, so it can be guessed. Replace it by a random one with "lectern rotate-secret"',
  'check-url-missing':
    'LECTERN_URL is not set, so links in e-mails lead to localhost. Set it to the public address of this server',
  'check-url-http':
    'LECTERN_URL is {url}, so passwords and tokens are sent unencrypted. Let a proxy terminate TLS, and set LECTERN_URL to its https address',
  'check-proxy':
    '{address} names the addresses of its clients, but is not trusted, so all of its clients share one limit of requests. If it is your proxy, add it to LECTERN_TRUSTED_PROXIES',
  'check-backup-unknown':
    'No backup has been reported. Let your backup run "lectern backup done" at its end, so that its time is shown here',
  'check-backup-old':
    'The last backup was {days, plural, one {# day} other {# days}} ago. Check whether your backup still runs',
  'check-mail-missing':
    'No mail server is configured, so invitations and password resets are not sent. Set LECTERN_SMTP_URL and LECTERN_MAIL_FROM',
  'check-update': 'Version {version} is available. Read its changelog, make a backup, and update',
} as const
