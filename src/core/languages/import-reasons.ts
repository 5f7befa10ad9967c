/** Why an import is refused, as a sentence about the archive or one of its files. */
export const IMPORT_REASONS = {
  'archive-not-zip': 'The archive is not a zip file, or it is cut off',
  'archive-unreadable': 'The archive is not a zip file, or it is cut off ({cause})',
  'archive-path-twice': '"{path}" is in the archive twice',
  'archive-damaged': 'The archive is damaged or cut off ({cause})',
  'archive-damaged-after': 'The archive is damaged or cut off after "{name}" ({cause})',
  'archive-empty': 'The archive contains no files',
  'archive-too-many-entries':
    'The archive contains more than {limit} entries, the limit of LECTERN_IMPORT_FILES',
  'archive-name-control': 'The name of the entry {name} contains control characters',
  'archive-name-backslash': 'The name of the entry {name} contains a backslash',
  'archive-name-absolute': 'The name of the entry {name} is absolute',
  'archive-name-drive': 'The name of the entry {name} starts with a drive letter',
  'archive-name-outside': 'The name of the entry {name} points outside the archive',
  'archive-name-odd': 'The name of the entry {name} is not a plain path',
  'archive-encrypted': '"{path}" is encrypted',
  'archive-symbolic-link': '"{path}" is a symbolic link',
  'archive-not-file': '"{path}" is not a file',
  'archive-compression':
    '"{path}" uses a compression method that is not supported; use an ordinary zip program',
  'archive-file-too-large': '"{path}" is larger than {limit}, the limit of LECTERN_IMPORT_FILE_BYTES',
  'archive-too-large':
    'The archive unpacks to more than {limit}, the limit of LECTERN_IMPORT_BYTES, with "{path}"',
  'archive-ratio': 'The archive unpacks to more than {ratio} times its size, with "{path}"',
  'archive-entry-damaged': '"{path}" cannot be unpacked: the archive is damaged or cut off ({cause})',
  'archive-checksum': '"{path}" is damaged: its checksum does not match',
  'archive-several-trees':
    'the archive has {count} documentation trees: {trees}. Import one with its folder as "root", or all as one with "root": ""',
  'archive-without-folder': 'the archive has no folder "{root}"',
  'project-with-one-tree':
    'The project has only one documentation, so "root" cannot be "{root}"; leave it out',
  'project-without-tree': 'The project has no documentation in "{root}", but in {trees}',
  'import-without-page': 'There is no Markdown page in the repository',
  'import-contents-hidden':
    'Conditions in {path} hide all of its entries; write a condition as "if" in the front matter of the pages that it hides',
  'import-folder-without-page': 'There is no Markdown page in "{root}"',
  'import-file-not-utf-8': '"{path}" is not UTF-8 text',
  'import-too-many-pages': '{contents} lists more than {limit} pages, the limit of LECTERN_MAX_PAGES',
  'import-files-not-utf-8': 'Not UTF-8 text: {paths}',
  'import-pages-too-deep': 'Pages are nested deeper than {limit} levels',
  'import-html-too-large': '"{path}" is larger than {size} MB of HTML',
  'import-elements-too-deep': '"{path}" has elements nested deeper than {limit} levels',
  'import-too-many-elements': '"{path}" has more than {limit} elements',
  'import-table-too-large': 'A table has {rows} rows and {columns} columns; the limit is {limit} cells',
  'import-too-many-cells': 'A table has more than {limit} cells',
  'import-not-github-wiki':
    'The source "github-wiki" is a zip archive of the repository of the wiki, with its Home.md. Clone it from the address of the repository that ends in ".wiki.git", and pack its files into a zip archive',
  'import-not-outline':
    'The source "outline" is a zip archive that Outline exports as Markdown or HTML: in Outline, choose "Export" in the menu of a collection, or in the settings of the workspace, and send the archive as it is',
  'import-not-notion':
    'The source "notion" is a zip archive that Notion exports as "Markdown & CSV" or "HTML", with subpages: in Notion, choose "Export" in the menu of a page or in the settings of the workspace, and send the archive as it is',
  'import-not-confluence':
    'The source "confluence" is a zip archive of the HTML export of a space: in Confluence, open the settings of the space, choose "Export space" and "HTML", and send the archive as it is',
  'import-not-bookstack':
    'The source "bookstack" is a "Portable ZIP" of BookStack: open a book, a chapter or a page, choose "Export" and "Portable ZIP", and send the archive as it is. For its other exports use the source "html" or "markdown"',
  'import-not-google-docs':
    'The source "google-docs" is one document as it is downloaded: in Google Docs, choose "File", "Download" and "Web page (.html, zipped)" or "Microsoft Word (.docx)", and send the file as it is',
  'import-not-docmost':
    'The source "docmost" is a zip archive that Docmost exports as Markdown or HTML: in Docmost, choose "Export" in the menu of a page or in the settings of a space, with subpages and attachments, and send the archive as it is',
  'import-backup-of-outline':
    'This archive is the JSON export of Outline, which holds backups. The source "outline" is a zip archive that Outline exports as Markdown or HTML: in Outline, choose "Export" in the menu of a collection, or in the settings of the workspace, and send the archive as it is',
  'import-backup-of-confluence':
    'This archive is the XML export of Confluence, which holds backups. The source "confluence" is a zip archive of the HTML export of a space: in Confluence, open the settings of the space, choose "Export space" and "HTML", and send the archive as it is',
  'import-data-not-bookstack':
    '"data.json" is not JSON that BookStack writes. The source "bookstack" is a "Portable ZIP" of BookStack: open a book, a chapter or a page, choose "Export" and "Portable ZIP", and send the archive as it is. For its other exports use the source "html" or "markdown"',
  'import-archive-too-many-pages': 'The archive has more than {limit} pages',
  'import-not-mintlify':
    'The source "mintlify" is a zip archive of a project, with docs.json or mint.json at the top; use the source "zip" for other Markdown',
  'import-not-mkdocs':
    'The source "mkdocs" is a zip archive of a project with its mkdocs.yml at the top; for other Markdown use the source "zip"',
  'import-project-without-page':
    'The source "{source}" is a zip archive of a project, but it has no Markdown page',
  'import-project-folder-without-page':
    'The source "{source}" is a zip archive of a project, but "{root}" has no Markdown page',
  'import-not-html':
    'The source "html" has no .html file. Send one .html file or a zip archive of them; for Markdown use the source "zip"',
  'import-not-docx':
    'The source "docx" is one .docx file, but this file is none. Save a .doc file as .docx, and send that file itself, not in a zip archive',
  'import-not-odt':
    'The source "odt" is one .odt file, but this file is none. Send that file itself, not in a zip archive',
  'import-of-pdf':
    'The file is a PDF, which has no headings, lists or tables that can be read. Save the document that it was made from as .docx, .odt, HTML or Markdown, and import that file',
  'import-docx-unreadable': 'The .docx file cannot be read: {cause}',
  'import-docx-without-part': 'The .docx file has no part "{path}"',
  'import-xml-too-long': '"{path}" has more than {limit} characters',
  'import-xml-with-type': '"{path}" has a document type, which documents do not need',
  'import-website-empty': 'The website has no page of HTML',
} as const
