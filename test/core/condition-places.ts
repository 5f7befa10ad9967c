/** Places of a page for the tags of conditions, by name. Each puts one line into blocks that hold nothing else. */
export type Place = (line: string) => string

/** Places in which a condition hides only a part of the line. */
export const OPEN_PLACES: Record<string, Place> = {
  'a paragraph': (line) => line,
  'a paragraph of several lines': (line) => `first\n${line}\nlast`,
  'a paragraph with a hard line break': (line) => `first\\\n${line}`,
  'a heading': (line) => `## ${line}`,
  'an underlined heading': (line) => `${line}\n------`,
  emphasis: (line) => `x **${line}** x`,
  'an element of a line': (line) => `x <mark>${line}</mark> x`,
  'an unknown element of a line': (line) => `x <u>${line}</u> x`,
  'a list': (line) => `- ${line}\n- x`,
  'a numbered list': (line) => `1. ${line}`,
  'a list of tasks': (line) => `- [ ] ${line}`,
  'a nested list': (line) => `- x\n  - x\n    - ${line}\n- x`,
  'a quote': (line) => `> ${line}`,
  'a quote in a list': (line) => `- x\n\n  > ${line}`,
  'a deep quote': (line) => `${'> '.repeat(40)}${line}`,
  'a hint': (line) => `{% hint style="info" %}\n${line}\n{% endhint %}`,
  'a step': (line) => `{% stepper %}\n{% step %}\n${line}\n{% endstep %}\n{% endstepper %}`,
  'a column': (line) => `{% columns %}\n{% column %}\n${line}\n{% endcolumn %}\n{% endcolumns %}`,
  'a summary': (line) => `<details>\n\n<summary>${line}</summary>\n\nx\n\n</details>`,
  'a summary in the line of its element': (line) => `<details><summary>${line}</summary>\n\nx\n\n</details>`,
  'an expandable': (line) => `<details>\n\n<summary>x</summary>\n\n${line}\n\n</details>`,
  'a cell with Markdown': (line) => `<table><tr><td>\n\n${line}\n\n</td></tr></table>`,
  'a paragraph of HTML': (line) => `<p align="center">${line}</p>`,
  'a heading of HTML': (line) => `<h2>${line}</h2>`,
  'a list of HTML': (line) => `<ul><li>x</li><li>${line}</li></ul>`,
  'an element': (line) => `<div>${line}</div>`,
  'an element around Markdown': (line) => `<div>\n\n${line}\n\n</div>`,
}

/** Places of code in which a condition can begin, and hides only a part of the line. One can only end within them. */
export const CODE_PLACES: Record<string, Place> = {
  'formatted code': (line) => `<pre><code>first\n${line}\nlast</code></pre>`,
  'code of HTML': (line) => `x <code>${line}</code> x`,
  'code of HTML at the beginning of a line': (line) => `<code>${line}</code> x`,
  'a key': (line) => `x <kbd>${line}</kbd> x`,
  'the output of a program': (line) => `- x <samp>${line}</samp> x`,
  'a name of a variable': (line) => `x **<var>${line}</var>** x`,
}

/** Places in which a condition can begin in the middle. If one ends there, it hides all of them, because they have data. */
export const TITLED_PLACES: Record<string, Place> = {
  'a cell': (line) => `| h | i |\n|-|-|\n| ${line} | x |\n| x | x |`,
  'a cell of HTML': (line) =>
    `<table><thead><tr><th>h</th></tr></thead><tbody><tr><td>${line}</td></tr></tbody></table>`,
  'a cell with blocks': (line) => `<table><tbody><tr><td><p>${line}</p><p>x</p></td></tr></tbody></table>`,
  'a tab': (line) => `{% tabs %}\n{% tab title="t" %}\n${line}\n{% endtab %}\n{% endtabs %}`,
  'an update': (line) =>
    `{% updates %}\n{% update date="2026-01-01" %}\n${line}\n{% endupdate %}\n{% endupdates %}`,
  'a caption of a file': (line) => `{% file src="a.pdf" %}\n${line}\n{% endfile %}`,
  'a response of an operation': (line) =>
    `{% swagger method="get" path="/x" baseUrl="y" %}\n{% swagger-response status="200" %}\n${line}\n{% endswagger-response %}\n{% endswagger %}`,
}

/** Places that are hidden as a whole, because what a condition would hide there is data of a node. */
export const WHOLE_PLACES: Record<string, Place> = {
  'a header': (line) => `| ${line} | i |\n|-|-|\n| x | y |`,
  'a header of HTML': (line) =>
    `<table><thead><tr><th>${line}</th></tr></thead><tbody><tr><td>x</td></tr></tbody></table>`,
  'a table that is too wide': (line) => `|${'a|'.repeat(120)}\n|${'-|'.repeat(120)}\n| ${line} |`,
  'a link': (line) => `[${line}](https://example.com/)`,
  'a link of HTML': (line) => `x <a href="https://example.com/">${line}</a>`,
  'a button': (line) => `<a href="https://example.com/" class="button primary">${line}</a>`,
  'a caption of an image': (line) =>
    `<figure><img src="https://example.com/i.png" alt=""><figcaption>${line}</figcaption></figure>`,
  'a table without a block': (line) => `<table><tr><td colspan="2">${line}</td></tr></table>`,
  'an element without a block': (line) => `<section>${line}</section>`,
}

/** Places in which a condition can begin, and hides the blocks in which they are. One can only end within them. */
export const DATA_PLACES: Record<string, Place> = {
  'a footnote': (line) => `word[^f] x\n\n[^f]: ${line}`,
  'an alternative text in a footnote': (line) =>
    `word[^f] x\n\n[^f]: y ![${line}](https://example.com/i.png)`,
  'a picture of HTML in a footnote': (line) =>
    `word[^f] x\n\n[^f]: y\n\n    <img src="https://example.com/i.png" alt='${line}'>`,
  'a comment in a footnote': (line) => `word[^f] x\n\n[^f]: y <!-- ${line} --> z`,
  'an address in a footnote': (line) =>
    `word[^f] x\n\n[^f]: [y](https://example.com/${line.replace(/(?<=^\w+) | (?=\w+$)/g, '-')})`,
  'an alternative text': (line) => `![${line}](https://example.com/i.png)`,
  'an alternative text in a line': (line) => `x ![${line}](https://example.com/i.png) x`,
  'a comment': (line) => `<!-- ${line} -->`,
  'a comment in a line': (line) => `x <!-- ${line} --> x`,
  'an attribute': (line) => `x <span title="${line}">y</span>`,
  'an address': (line) => `[x](https://example.com/${line.replace(/(?<=^\w+) | (?=\w+$)/g, '-')})`,
  'the title of a link': (line) => `[x](https://example.com/ "${line}")`,
}

/** Values of tags in which a condition can begin. Everybody sees the value only up to there. */
export const VALUE_PLACES: Record<string, Place> = {
  'the title of a tab': (line) => `{% tabs %}\n{% tab title='${line}' %}\nx\n{% endtab %}\n{% endtabs %}`,
  'the title of code': (line) => `{% code title='${line}' %}\n\`\`\`\nx\n\`\`\`\n{% endcode %}`,
  'the style of a hint': (line) => `{% hint style='${line}' %}\nx\n{% endhint %}`,
  'the address of an embed': (line) => `{% embed url='https://example.com/${line}' %}`,
  'the path of an included page': (line) => `{% include '../a/${line}.md' %}`,
  'a property of an integration': (line) => `{% @mermaid/diagram content='${line}' %}`,
}

/** Places of tags that are text there. A condition in a value hides the block around the tag from everybody. */
export const TEXT_PLACES: Record<string, Place> = {
  'a tag within a line': (line) => `x {% embed url='https://example.com/${line}' %} x`,
  'a tag in a cell': (line) => `| h |\n|-|\n| {% file src='${line}' %} |`,
  'a tag in an alternative text': (line) => `![x {% file src='${line}' %}](https://example.com/i.png)`,
  'a tag in a footnote': (line) => `word[^f] x\n\n[^f]: y {% file src='${line}' %}`,
}

/** Formulas. A tag in one is text, but a condition between it and a tag outside of the formula hides what is between. */
export const FORMULA_PLACES: Record<string, Place> = {
  'a formula in a line': (line) => `x $$a ${line} b$$ y`,
  'a formula that is a paragraph': (line) => `$$a ${line}$$`,
  'a formula of a block': (line) => `$$\na ${line}\n$$`,
  'a formula in the code of GitHub': (line) => `x $\`a ${line}\`$ y`,
  'a formula in a block of code': (line) => `\`\`\`math\na ${line}\n\`\`\``,
  'prices that are a formula': (line) => `a $$5 ${line} b $$6`,
  'a formula in a list': (line) => `* one\n* two $$a ${line}$$`,
  'a formula in a cell': (line) => `| a |\n| - |\n| $$a ${line}$$ |`,
  'a formula in a quote': (line) => `> $$a ${line}$$`,
  'a formula in a footnote': (line) => `w[^m]\n\n[^m]: $$a ${line}$$`,
  'a formula in a line of HTML': (line) => `<div>x $$a ${line}$$</div>`,
  'a formula in an element of HTML': (line) =>
    `<details>\n<summary>a</summary>\n$$\na ${line}\n$$\n</details>`,
  'a value of a tag in a formula': (line) => `x $$a {% embed url='https://example.com/${line}' %}$$`,
  'a value of a tag in a formula of a block': (line) => `$$\na {% file src='${line}' %}\n$$`,
  'a value of a tag in a formula of HTML': (line) => `<div>\n$$\na {% file src='${line}' %}\n$$\n</div>`,
  'a value of a tag in the code of GitHub': (line) => `x $\`a {% file src='${line}' %}\`$ y`,
}

/** Code, in which a tag is text. */
export const TEXT_CODE_PLACES: Record<string, Place> = {
  'code in a line': (line) => `x \`${line}\` y`,
  'a block of code': (line) => `\`\`\`\n${line}\n\`\`\``,
  'a block of code with a title': (line) => `{% code title="t" %}\n\`\`\`\n${line}\n\`\`\`\n{% endcode %}`,
  'a block of code in a list': (line) => `- x\n\n  \`\`\`\n  ${line}\n  \`\`\``,
}

/** Containers with members, around the lines of two or more. */
export const CONTAINERS: Record<string, (...lines: string[]) => string> = {
  'a list in a cell': (...lines) =>
    `<table><tbody><tr><td><ul>${lines.map((line) => `<li>${line}</li>`).join('')}</ul></td></tr></tbody></table>`,
  'a list': (...lines) => lines.map((line) => `- ${line}`).join('\n'),
  'a loose list': (...lines) => lines.map((line) => `- ${line}`).join('\n\n'),
  'a nested list': (...lines) => lines.map((line, depth) => `${'  '.repeat(depth)}- ${line}`).join('\n'),
  'a list of HTML': (...lines) => `<ul>${lines.map((line) => `<li>${line}</li>`).join('')}</ul>`,
  'a quote': (...lines) => `> ${lines.join('\n>\n> ')}`,
  'a hint': (...lines) => `{% hint style="info" %}\n${lines.join('\n\n')}\n{% endhint %}`,
  'a row': (...lines) =>
    `|${'h|'.repeat(lines.length)}\n|${'-|'.repeat(lines.length)}\n|${lines.map((line) => `${line}|`).join('')}`,
  rows: (...lines) => `| h |\n|-|\n${lines.map((line) => `| ${line} |`).join('\n')}`,
  'a row of HTML': (...lines) =>
    `<table><tbody><tr>${lines.map((line) => `<td>${line}</td>`).join('')}</tr></tbody></table>`,
  'rows of HTML': (...lines) =>
    `<table><tbody>${lines.map((line) => `<tr><td>${line}</td></tr>`).join('')}</tbody></table>`,
  'a cell of HTML': (...lines) =>
    `<table><tbody><tr><td>${lines.map((line) => `<p>${line}</p>`).join('')}</td></tr></tbody></table>`,
  columns: (...lines) =>
    `{% columns %}\n${lines.map((line) => `{% column %}\n${line}\n{% endcolumn %}\n`).join('')}{% endcolumns %}`,
  steps: (...lines) =>
    `{% stepper %}\n${lines.map((line) => `{% step %}\n${line}\n{% endstep %}\n`).join('')}{% endstepper %}`,
  'an expandable': (first = '', ...lines) =>
    `<details>\n\n<summary>${first}</summary>\n\n${lines.join('\n\n')}\n\n</details>`,
  emphasis: (first = '', ...lines) => `**x ${first}** ${lines.join(' ')}`,
}

/** Containers whose members have titles or other data. They are hidden as a whole if one of these is. */
export const TITLED_CONTAINERS: Record<string, (...lines: string[]) => string> = {
  tabs: (...lines) =>
    `{% tabs %}\n${lines
      .map((line, n) => `{% tab title="SECRET${n}" %}\n${line}\n{% endtab %}\n`)
      .join('')
      .replace('SECRET0', 't')}{% endtabs %}`,
  updates: (...lines) =>
    `{% updates %}\n${lines.map((line, n) => `{% update date="2026-01-0${n + 1}" %}\n${line}\n{% endupdate %}\n`).join('')}{% endupdates %}`,
  'a header and cells': (first = '', ...lines) =>
    `| ${first} |\n|-|\n${lines.map((line) => `| ${line} |`).join('\n')}`,
  'steps with icons': (...lines) =>
    `{% stepper %}\n${lines.map((line) => `{% step icon="flag" %}\n${line}\n{% endstep %}\n`).join('')}{% endstepper %}`,
  'a link and its address': (first = '', ...lines) =>
    `x [${first}](https://example.com/SECRET) ${lines.join(' ')}`,
}
