/** A small wiki. */
export const WIKI = {
  'app.wiki/Home.md': `Welcome. See [[Getting Started]], [[the guide|Getting-Started]], [steps](Getting-Started#steps),
[up](https://github.com/ada/app/wiki/API-(v2)) and [[images/plan.png|alt=A plan]]. Code: \`[[Getting Started]]\`, [[Nowhere]].

> [!WARNING]
> Careful

\`\`\`
[[Getting Started]]
> [!NOTE]
\`\`\`
`,
  'app.wiki/Getting-Started.md': '# First steps\n\n## Steps\n\n[Home](Home)\n',
  'app.wiki/API-(v2).md': 'The API',
  'app.wiki/guides/Deep-Page.md': '[[Home]] ![plan](../images/plan.png)',
  'app.wiki/Old.mediawiki': '== Old ==',
  'app.wiki/_Sidebar.md': `### [[Home]]

**Guides**

* [[Getting Started]]
  * [API](API-(v2))
  * [Deep](https://github.com/ada/app/wiki/Deep-Page)
* Elsewhere
  * [Site](https://example.com/)
`,
  'app.wiki/_Footer.md': 'Imprint',
  'app.wiki/images/plan.png': 'png',
}

/** A small document as "Web page (.html, zipped)". */
export const GOOGLE_DOC = {
  'Handbook.html': `<html><head><meta content="text/html; charset=UTF-8" http-equiv="content-type"><style type="text/css">@import url('https://themes.googleusercontent.com/fonts/css');ol{margin:0}.c1{font-weight:700}.c2{font-style:italic}.c3{font-family:"Courier New";font-weight:400}.c4{color:#000000;font-weight:400;text-decoration:none}.c5{font-weight:700;font-style:italic}</style></head><body class="c9 doc-content">
<p class="c7 title" id="h.a1"><span class="c4">The handbook</span></p><p class="c8"><span class="c4">About </span><span class="c1">bold</span><span class="c4">, </span><span class="c5">both</span><span class="c4">, </span><span class="c3">code()</span><span class="c4">.</span><sup><a href="#cmnt1" id="cmnt_ref1">[a]</a></sup></p>
<h1 class="c6" id="h.b2"><span class="c1">Install</span></h1><p class="c8"><span><a class="c10" href="https://www.google.com/url?q=https://example.com/?a%3D1&amp;sa=D&amp;source=editors&amp;ust=1">A link</a></span><span class="c4"> with a note</span><sup><a href="#ftnt1" id="ftnt_ref1">[1]</a></sup><span class="c4">.</span></p>
<ul class="c11 lst-kix_abc-0 start"><li class="c8 li-bullet-0"><span>One</span></li></ul><ul class="c11 lst-kix_abc-1 start"><li class="c8"><span>Below</span></li></ul><ul class="c11 lst-kix_abc-0"><li class="c8"><span>Two</span></li></ul>
<ol class="c11 lst-kix_def-0 start" start="1"><li><span>First</span></li></ol><p><span>Between</span></p><ol class="c11 lst-kix_def-0" start="2"><li><span>Second</span></li></ol>
<p class="c8"><span style="overflow: hidden;"><img alt="" src="images/image1.png" style="width: 100px" title=""></span></p><hr style="page-break-before:always;display:none;">
<h1 class="c6" id="h.c3"><span>Use</span></h1><p class="c8"><span><a class="c10" href="#h.b2">See above</a></span></p><table class="c12"><tr class="c13"><td class="c14" colspan="1" rowspan="1"><p><span>a</span></p></td><td><p><span>b</span></p></td></tr></table>
<div><p class="c8"><a href="#ftnt_ref1" id="ftnt1">[1]</a><span>&nbsp;The note</span></p></div><div class="c15"><p><a href="#cmnt_ref1" id="cmnt1">[a]</a><span>A comment</span></p></div></body></html>`,
  'images/image1.png': 'png',
}
