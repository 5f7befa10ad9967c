/** Why the server refuses a request about spaces, their content and what is discussed about it. */
export const SPACE_REASONS = {
  // Places
  'collection-in-itself': 'A collection cannot be moved into itself or into a collection inside it',
  'collections-too-deep': 'Collections can be nested at most 20 levels deep',
  'already-in-position': 'The {kind} is already in this position',
  'neighbour-elsewhere': 'must name a space or collection in the place to move to, but {id} is elsewhere',
  'already-in-organization': 'It belongs to the organization {id} already; choose another one',
  'site-contains-it': 'The site "{title}" contains it; remove it from the site first',
  'not-in-trash': 'The space is not in the trash',
  'emoji-or-icon': 'Send either "emoji" or "icon"',
  'computed-with-openapi': 'cannot be used together with "openapiUrl"',
  'template-with-specification': 'cannot be used together with "openapiUrl" or "computedSource"',
  'page-template-built-in':
    'The template {id} is one of Lectern, which nobody can change; keep a copy of it instead',
  'too-many-page-templates':
    'The organization keeps {count} templates of pages; at most {limit} are allowed, so delete some first',
  'specification-slug-unknown': 'must be the slug of a specification of the organization, but was {slug}',
  'specification-without-version': 'must be the slug of a specification that has a version, but was {slug}',
  'not-tag-name': 'must be the name of a tag',
  'rule-unreadable': 'cannot be read: {fault}',

  // Git
  'git-not-installed': 'Git is not installed on the server; ask an administrator of the server to install it',
  'git-busy': 'The server makes too many repositories already; try again in a minute',
  'git-repository-not-ready': 'The server is still making this repository; try again in a minute',
  'git-repository-too-large':
    'The history of this space is larger than 4 GB, which is the most that can be cloned',
  'git-token-required': 'Send an API token as the password; any user name will do',
  'git-branch-name':
    'A space cannot have a branch with this name; choose a shorter one of letters, digits, "-" and "_"',
  'git-branch-without-changes': 'The branch has no changes: commit one, and push again',
  'git-branches-only': 'Only branches can be pushed, such as HEAD:my-change',
  'git-branches-too-many':
    'The space has {limit} branches of open change requests, which is the limit; merge or archive some',
  'git-fetch-first': 'Others have changed the branch: run "git pull", and push again',
  'git-file-without-place': 'A space has no place for this file: remove it, or use it in a page',
  'git-history-unrelated':
    'The branch has no commit of this space in its history: begin a branch from main, and push that',
  'git-main-kept':
    'The branch main cannot be deleted or rewritten: run "git pull --rebase", and push without --force',
  'git-not-plain-file': 'A space has neither symbolic links nor submodules: remove it',
  'git-objects-refused': 'Git refuses the pushed objects: {message}',
  'git-path-refused': 'Git itself uses this path, or some systems cannot store it: rename the file',
  'git-push-too-large': 'The push is larger than {limit}',
  'git-push-too-many-branches': 'Push at most {limit} branches at once',
  'git-space-locked':
    'This space is locked: make a change request by pushing to another branch, such as "git push origin HEAD:my-change"',
  'git-smart-http-only': 'Use a version of git from 2010 or later, which speaks the smart HTTP protocol',
  'git-request-invalid': 'The body of the request cannot be read',
  'git-request-too-large': 'The request of git is larger than {limit}',

  // Repositories of other hosts
  'repository-folder-missing': 'The repository has no folder "{path}"; name another one',
  'repository-without-files': 'There are no files to import; name another folder',
  'repository-files-too-large':
    'There are more than {files} files or {size} to import; name a folder of them',
  'repository-file-too-large': 'The file "{path}" is larger than {limit}; remove it from the branch first',
  'repository-texts-too-large':
    'More than {limit} of the branch would have to be compared; name a folder of the repository',
  'repository-converted':
    '{path} shows that the repository is a project of {tool}, whose pages an import converts: an export would replace them with Markdown of Lectern; send "force" to replace them',
  'repository-several-trees':
    'The repository has {count} documentation trees: {folders}; name one of them as the folder in the repository',
  'repository-root-outside': 'The documentation must be a folder in the repository; name another one',
  'repository-file-in-the-way':
    'The branch has a file "{path}" that the space does not know, and the export would overwrite it; import the branch first, rename the file, or send "force"',
  'repository-unseen-changes':
    'The branch {branch} has changes that the space has not seen; import it first, or send "force" to overwrite them',

  'repository-address-http':
    'must be the address of a repository by https, such as https://git.example.com/team/docs.git',
  'repository-address-query': 'must be an address without a query',
  'not-branch-ref': 'must be a branch, such as refs/heads/main',
  'repository-moved': 'The repository has moved to {url}; use this address',
  'repository-refuses':
    'The host refuses access to the repository ({status}); check the token, and whether it may read and write the repository',
  'repository-missing': 'There is no repository at the address, or the token may not see it; check both',
  'repository-failing': 'The host of the repository returned {status}; try again later',
  'repository-not-git': 'There is no git server at the address; check it',
  'repository-not-reached': 'The connection to the repository broke; try again',
  'repository-rejects': 'The host of the repository refuses the commit: {fault}',
  'repository-git-failed': 'Git could not use the repository: {fault}',
  'repository-branch-missing': 'The repository has no branch "{branch}"; name another one',
  'repository-would-replace':
    'The space has content, and was never synced with this branch; send "force" to replace it with that of the branch, which keeps the earlier revisions',
  'repository-raced':
    'Others pushed to the branch {branch} {count} times meanwhile; import it first, and try again',
  'sync-too-slow': 'The sync took longer than 25 minutes; sync a folder of the repository',
  'webhook-unsigned':
    'The signature of the webhook is missing or wrong; copy the address and the secret from the sync of the space to the host again',
  'not-connected': 'This space is not connected with a repository',
  'repository-rewritten':
    'The history of the branch {branch} was rewritten: the commit {commit}, with which the space was last synced, is no longer in it. Following the branch would add {created, plural, one {# page} other {# pages}} to the space, change {updated} and delete {deleted}; pushing back would undo this on the branch with a new commit. Sync again with "follow" or "pushBack"',
  'follow-and-push-back': 'must not be true beside "follow"; send one of both',
  'sync-without-role':
    'The user who connected the repository may no longer create content in this space; another user has to connect it again',
  'repository-export-too-large':
    'The files of the space are larger than {limit}, which is the most that the server pushes; use "lectern export"',

  // Custom fields and specifications
  'custom-field-exists': 'The organization already has a custom field "{name}"; choose another name',
  'too-many-custom-fields': 'An organization has at most {limit} custom fields',
  'too-many-favourites': 'You have {count} favourites; at most {limit} are allowed, so remove one first',
  'too-many-glossary-entries':
    'The glossary has {count} entries; at most {limit} are allowed, so delete some first',
  'glossary-language':
    'must have tags of languages (BCP 47) as names, such as "de" or "pt-BR", and not {tag}',
  'glossary-language-twice': 'must have one term in each language; {tag} and {other} are the same language',
  'glossary-entry-missing': 'must be the id of an entry of this glossary; {id} is not',
  'glossary-entry-twice': 'must name an entry in one operation only; {id} is in an earlier one',
  'custom-field-unknown': 'must be the name of a custom field of the organization',
  'options-required': 'is required for a field of type "{type}"',
  'options-not-allowed': 'must be absent for a field of type "{type}"',
  'value-not-text': 'must be a text',
  'value-not-number': 'must be a number',
  'value-not-boolean': 'must be true or false',
  'value-not-list': 'must be a list',
  'value-not-option': 'must be one of the options: {options}',
  'specification-exists': 'The organization has a specification "{slug}" already; update it with PUT',
  'too-many-specifications':
    'The organization has {count} specifications, which is the limit; delete some first',

  // Content
  'page-path-taken': 'The page {id} cannot have the repository path "{path}": another page or file has it',
  'file-path-taken': 'The file {id} cannot have the repository path "{path}": another page or file has it',
  'reusable-content-path-taken':
    'The reusable content {id} cannot have the repository path "{path}": another reusable content has it',
  'space-locked':
    'This space is locked: its content changes by merging change requests, or make it "live" first',
  'space-locked-for-batch':
    'This space is locked: open a change request and change the content there, or make the space "live" first',
  'space-without-pages': 'This space has no pages to export; add one first',
  'never-synced': 'This space was never synced with a source',
  'others-changed-same-parts':
    'Others have changed the same parts of {titles} since the revision; choose between the versions in "conflicts", and send the changes based on the newest revision',
  'revision-replaced': 'A later save has replaced this revision: read the revision "{id}" instead',
  'revision-of-change-request': 'This revision belongs to a change request; merge the change request instead',
  'revision-same': 'The current content is already the same as that of this revision',
  'revision-differs-from-header':
    'is "{id}", but the header If-Match names "{named}": send the revision that you have read, in one of them',
  'base-revision-unknown':
    '{fault}. A revision that a later save has replaced can be the base for {days} days: read the page again, and send the changes based on the newest revision',
  'not-repository-path': 'must be a path in the repository, but was "{path}"',
  'not-below-type': 'The page is of the type "{type}", which cannot have pages below it',

  // The rules of a page tree
  'tree-too-large': 'The tree has {count} pages; at most {limit} are allowed (LECTERN_MAX_PAGES)',
  'tree-too-deep': 'The page "{title}" ({id}) is on level {level}; at most {limit} are allowed',
  'tree-parent-missing': 'The page "{title}" ({id}) is below the page {parent}, which does not exist',
  'tree-cycle': 'The page "{title}" ({id}) is below itself',
  'tree-parent-childless': 'The page "{title}" ({id}) is below a {type} page, which cannot have pages',
  'tree-group-nested': 'The page "{title}" ({id}) is a group, which can only be at the top level',
  'tree-slug-invalid': 'The page "{title}" ({id}) has the slug {slug}, which cannot be part of a path',
  'tree-slug-twice': 'The page "{title}" ({id}) has the slug {slug}, as has another page beside it',

  // Limits of time
  'batch-too-slow': 'takes too long to read: send smaller pages, or fewer at once',
  'revert-too-slow': 'takes too long: revert blocks of fewer pages at once',
  'revert-after-edit':
    'cannot revert blocks of a large page that an earlier change of the batch edits; send the changes in two batches',
  'compare-too-slow': 'This page takes too long to compare; ask without "blocks"',
  'read-too-slow': 'This document takes too long to read; ask for it as Markdown',
  'convert-too-slow': 'This document takes too long to convert; send a part of it',
  'merge-too-slow': 'These contents take too long to merge: merge the changes in smaller parts',
  'resolve-too-slow':
    'This content takes too long to read: edit the page, and resolve the conflict with "own"',
  'suggestion-too-slow': 'This page takes too long to read; apply the suggestion by hand',
  'links-too-slow': 'The links of this space take too long to find; divide it into several spaces',
  'reading-busy': 'The server has too much other content to read at this moment; try again',
  'too-many-blocks-compared': 'must be at most {limit} with "blocks", but was {value}',
  'code-too-long': 'The blocks must have at most {limit} characters together',

  // Files and books
  'upload-sent': 'This upload has already been sent; create a new one',
  'upload-just-sent': 'This upload has just been sent by another request; create a new one',
  'upload-being-sent': 'Another request sends this upload now',
  'upload-empty': 'No file has been sent to this upload yet',
  'upload-size-differs': 'The upload was announced with {size} bytes, but {arrived} arrived; send it again',
  'upload-unknown': 'This upload does not exist or has expired; create a new one',
  'upload-used': 'Another request used the upload {id} first; upload the file again',
  'too-many-uploads-of-user':
    'You have, in all organizations, {count} uploads of {bytes} bytes, and the limits are {limit} uploads and {quota} bytes; cancel one, or retry when one expires',
  'too-many-uploads-of-organization':
    'The organization has {count} uploads of {bytes} bytes, and the limits are {limit} uploads and {quota} bytes; retry when one expires',
  'too-many-uploads-of-member':
    'You have {count} uploads of {bytes} bytes in this organization, which has room for {left} uploads and {quota} bytes more, and half of this room is for others; cancel an upload, or retry when one expires',
  'file-source-missing': 'Send one of "url", "base64" and "upload"',
  'content-type-missing': 'Send "contentType" with "base64"',
  'not-file-address': 'must be the address of a file, but the server there returned {status}',
  'not-base64': 'must be base64 (RFC 4648, section 4)',
  'picture-too-large': 'must have at most 1 MB',
  'base64-too-large': 'must have at most 1 MB; send a larger file with "upload" or "url"',
  'not-plain-picture': 'must be a PNG, JPEG, GIF or WebP image',
  'not-picture': 'must be an SVG, PNG, JPEG, GIF or WebP image',
  'too-many-pixels': 'must have at most {limit} × {limit} pixels, but has {width} × {height}',
  'book-outdated': 'The content has changed since this file was made, or you may not read it any more',
  'book-forgotten': 'This file is not stored any more; make it again',
  'book-page-missing': 'needs a "page"',
  'book-too-long': 'A book has at most {limit} pages, but this one would have {count}',
  'books-busy': 'Too many other books are being made at this moment; try again',

  // Change requests
  'change-request-merged': 'This change request is merged; create another one',
  'merged-change-request-final': 'A merged change request cannot be changed; create another one',
  'change-request-archived': 'This change request is archived; set its status to "open" or "draft" first',
  'change-request-changed':
    'The content of the change request has changed since "revision"; read it again and then review it',
  'change-request-not-combined': 'This change request cannot be combined with the primary content: {fault}',
  'conflicts-open':
    'This change request has {count, plural, one {a conflict that is open: resolve it first} other {# conflicts that are open: resolve them first}}',
  'nothing-to-merge':
    'There is nothing to merge: the primary content includes every change of this change request',
  'side-or-content': 'Send either "side" or "content"',
  'conflict-resolved': 'This conflict is already resolved',
  'conflict-open': 'This conflict is open',
  'conflict-outdated':
    'This conflict cannot be reopened, because the change request was updated since; edit the content instead',

  // Comments and suggestions
  'markdown-or-document': '{field} must have "markdown" or "document", not both',
  'range-without-node': 'is required with "range": send the key of the block that contains the text',
  'node-without-page': 'is required with "node": send the id of the page that contains the block',
  'block-key-unknown':
    'must be the key of a block of this page, as "format=document" returns it, but was {key}',
  'range-without-text': 'needs a block that contains text itself, such as a paragraph in a list item',
  'range-outside':
    "must begin before it ends, within the {length} UTF-16 units of the block's text, but was {range}",
  'too-many-emoji': 'A comment or reply can have at most {limit} different emoji; react with an existing one',
  'not-emoji':
    'must be an emoji (a code such as "1f44d", the character, or a name such as ":thumbsup:"), but was {value}',
  'suggestion-without-block': 'needs the block that it replaces: send "page" and "node"',
  'suggestion-missing': 'needs a comment that has one; post a new comment to suggest something',
  'suggestion-without-range': 'needs a "range"; send "markdown" or "document" to replace the whole block',
  'suggestion-without-text': 'must have "text", which replaces the range',
  'suggestion-applied': 'The suggestion is applied already',
  'suggestion-final': 'The suggestion is applied already; post a new comment',
  'suggestion-nothing': 'The comment suggests nothing',
  'suggested-text-gone':
    'The text that the suggestion replaces is gone; resolve the comment, or edit the page',
  'suggested-text-changed':
    'The suggestion was made for {before}, but the text is now {now}, and both change the same words. Edit the page by hand, or resolve the comment and suggest a change of the text as it is now',

  // Imports
  'import-refused': 'The import is refused: {fault}',
  'too-many-imports': 'Too many imports are waiting; try again when one of them has ended',
  'import-too-slow': 'The import took longer than {seconds} seconds; import it in smaller parts',
  'import-too-slow-to-store': 'The import took too long; import it in smaller parts',
  'import-too-large': 'The import needed too much memory; import it in smaller parts',
  'not-a-language-tag': 'is not a language tag (BCP 47), such as "fa" or "zh-TW"',
  'language-tag-differs': 'is a tag of another language than body.language; leave one of them out',
  'root-only-for-zip': 'body.root is for archives of repositories and projects; leave it out',
  'upload-without-file':
    '"url" is an upload without a file, or one that expired after 24 hours; upload the file again',
  'import-not-fetched': 'The server at "url" returned {status} instead of the file; check the address',
  'not-exported-revision': 'must be a revision of the primary content of this space, but was "{id}"',
  'source-not-combined': 'The source cannot be combined with the content of the space: {fault}',
  'sync-edited':
    'Change request {number} has the changes of the last sync and edits of users; merge or archive it first',
  'sync-waiting':
    'Change request {number} has changes of the source that the space has not; merge or archive it first',
  'not-website': '"url" must be the http or https address of a website',
  'website-forbidden': 'The robots.txt of {host} does not allow Lectern to read {url}',
  'website-late': '{url} did not respond in time',
  'website-refused': 'The website cannot be imported: {url} {fault}',
  'website-other-host': '{url} redirects to {origin}, another host; import that address instead',
  'website-outside': '{url} redirects to {path}, which is not part of the import or which robots.txt forbids',
  'website-unreadable': '{url} returned {status}, so that nobody knows what may be read; try again later',
  'too-many-hosts': 'An import requests at most {limit} hosts',
} as const
