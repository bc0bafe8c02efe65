"""A small hand-written file of each format: name, text, format, and what is in it as (title, year) or a reason."""

from __future__ import annotations

import json
from dataclasses import dataclass

CATS = "We study how cats sleep in warm places and find that they sleep for most of the day."


@dataclass(frozen=True, slots=True)
class Sample:
    """A file and what stands in it, in order: title and year of a paper, or the reason of a skipped record."""

    name: str
    text: str
    format: str
    holds: tuple[tuple[str | None, int | None] | str, ...]
    with_abstract: int


EMPTY = "neither title nor abstract"

SAMPLES = (
    Sample("list.txt", f"ICML 2026 论文列表\n\n{CATS}\n\nToo short.\n", "seed list", ((None, 2026), "too short for an abstract"), 1),
    Sample(
        "export.bib",
        r"""% made by hand
@string{cup = "Cats Press"}
@article{a1,
  title = {The {{Gödel}} of {C}ats: {\"O}sterreich \& \'{e}t\'{e} in $\mathcal{O}(n)$ time},
  author = {M{\"u}ller, J{\"o}rg and {The Cat Consortium} and de la Cruz, Jr., Ana and others},
  journal = cup, year = 2021,
  abstract = {We show $x^2$ is 25\% \emph{better}.
     A second line, with {Protected} words.},
  doi = {https://doi.org/10.1000/ABC.1}
}
@inproceedings{broken, title = {A brace is missing, year = {2020}

@misc{b, title = "Quoted Title", date = {2019-05-01}, eprint = {1905.00001v2}, eprinttype = {arxiv}}
@misc{empty, year = 2000}
@comment{jabref-meta: databaseType:bibtex;}
@article{a1, title = {The same key again}, year = {n.d.}, title = {Twice}}
""",
        "BibTeX",
        (
            ("The Gödel of Cats: Österreich & été in O(n) time", 2021),
            "broken BibTeX entry",
            ("Quoted Title", 2019),
            EMPTY,
            ("The same key again", None),
        ),
        1,
    ),
    Sample(
        "export.ris",
        f"""TY  - JOUR
TI  - Cats <i>in vivo</i> &amp; in vitro
AU  - Curie, Marie
AU  - Lee
T2  - Journal of Cats
PY  - 2020/05//
AB  - {CATS}
Another line of it.
DO  - 10.1000/Cats.5
UR  - https://example.org/cats
ER  -

TY  - CONF
T1  - No end tag
Y1  - 1999
TY  - BOOK
PY  - 1998
ER  -
""",
        "RIS",
        (("Cats in vivo & in vitro", 2020), ("No end tag", 1999), EMPTY),
        1,
    ),
    Sample(
        "savedrecs.ciw",
        f"""FN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Li, W
   Dou, Z
AF Li, Wei
   Dou, Zhiguo
TI Soil cats and
   their reeds
SO CATS
PY 2020
AB {CATS}
DI 10.1000/soil
ER

EF
""",
        "Web of Science",
        (("Soil cats and their reeds", 2020),),
        1,
    ),
    Sample(
        "pubmed.nbib",
        f"""
PMID- 123456
DP  - 2002 Jan
TI  - Cyclic cats: a rare cause of
      sleep.
LID - 10.1000/cyclic [doi]
AB  - {CATS}
FAU - Waites, M D
AU  - Waites MD
JT  - Annals of Cats

PMID- 123457
TI  - [Cats abroad].
DP  - 1971 Mar-Apr
""",
        "PubMed nbib",
        (("Cyclic cats: a rare cause of sleep.", 2002), ("Cats abroad.", 1971)),
        1,
    ),
    Sample(
        "scholar.enw",
        f"%0 Journal Article\n%T Cats of scholars\n%A Hall, H. K.\n%A Doe, Jane\n%J Cats\n%D 2018\n%X {CATS}\n%R 10.1000/enw\n",
        "EndNote refer",
        (("Cats of scholars", 2018),),
        1,
    ),
    Sample(
        "csl.json",
        json.dumps(
            [
                {
                    "id": "k1",
                    "type": "article-journal",
                    "title": "Cats",
                    "subtitle": ["An introduction"],
                    "container-title": ["Journal of Cats"],
                    "author": [{"given": "H. K.", "family": "Hall", "suffix": "Jr."}, {"literal": "The Consortium"}],
                    "issued": {"date-parts": [["2017", 3]]},
                    "DOI": "10.1000/CSL",
                    "abstract": "<jats:title>Abstract</jats:title><jats:sec><jats:title>Aims</jats:title><jats:p>Cats &amp;amp; dogs "
                    "have <mml:math><mml:mi>x</mml:mi></mml:math> legs.</jats:p></jats:sec>",
                },
                {"type": "webpage", "URL": "https://example.org", "issued": {}, "DOI": "10.1000/none"},
            ]
        ),
        "CSL-JSON",
        (("Cats: An introduction", 2017), EMPTY),
        1,
    ),
    Sample(
        "crossref.json",
        json.dumps(
            {
                "status": "ok",
                "message": {
                    "items": [
                        {
                            "type": "posted-content",
                            "title": ["Cats of Crossref"],
                            "DOI": "10.1101/2020.01.01.1",
                            "posted": {"date-parts": [[2020]]},
                            "relation": {"is-preprint-of": [{"id-type": "doi", "id": "10.1000/final"}]},
                        }
                    ]
                },
            },
            indent=1,
        ),
        "CSL-JSON",
        (("Cats of Crossref", 2020),),
        0,
    ),
    Sample(
        "zotero.csv",
        '"Key","Item Type","Publication Year","Author","Title","Publication Title","DOI","Url","Abstract Note","Date"\n'
        f'"AB","journalArticle","2004","Sui, Daniel Z.; van Heerden, Henriette","Cats, ""the"" law","Cats","10/fk249f","","{CATS}\nMore.","2004"\n'
        '"AC","webpage","","","","","","https://example.org","",""\n',
        "Zotero CSV",
        (('Cats, "the" law', 2004), EMPTY),
        1,
    ),
    Sample(
        "scopus.csv",
        '\ufeff"Authors","Author full names","Title","Year","Source title","DOI","Link","Abstract","EID"\n'
        f'"Hu E.; Li W.","Hu, Edward (57211714017); Li, Wei (1234567890)","Scopus cats","2022","Cats","10.1000/scopus","https://www.scopus.com/x","{CATS}","2-s2.0-1"\n'
        '"X","","No abstract here","2021.0","","","","[No abstract available]","2-s2.0-2"\n',
        "Scopus CSV",
        (("Scopus cats", 2022), ("No abstract here", 2021)),
        1,
    ),
    Sample(
        "ieee.csv",
        '"Document Title",Authors,"Publication Title","Publication Year","Abstract","DOI",PDF Link,Document Identifier\n'
        f'"IEEE cats","J. -P. Stoldt; J. H. Weber",2020 IEEE Cats,"2020","{CATS}","10.1109/CATS.1","https://ieeexplore.ieee.org/x","IEEE Conferences"\n',
        "IEEE CSV",
        (("IEEE cats", 2020),),
        1,
    ),
    Sample(
        "pubmed.csv",
        "Title,URL,Description,Details,ShortDetails,Resource,Type,Identifiers,Db,EntrezUID,Properties\n"
        '"Cats of summary.","/pubmed/31352693","Lin W, Ha A, Riew KD.","Cats. 2018 Sep;15(3). doi: 10.1000/sum.1. Epub","Cats.  2018","PubMed","citation","PMID:31352693","pubmed","31352693","x",\n',
        "PubMed CSV",
        (("Cats of summary.", 2018),),
        0,
    ),
    Sample(
        "table.tsv",
        f'sep=\t\nPaper title\tAuthor(s)\tYear\tAbstract\nCats of 5" length\tAnn Lee, Bob Ray and Cy Dee\tn.d.\t{CATS}\n\n',
        "TSV",
        (('Cats of 5" length', None),),
        1,
    ),
    Sample(
        "quote.csv",
        f'title,abstract,year\nGood cats,{CATS},2001\n"Never closed,no,2002\nMore cats,{CATS},2003\nLast cats,"a, b",2004\n',
        "CSV",
        (("Good cats", 2001), "a quote that is never closed", ("More cats", 2003), ("Last cats", 2004)),
        3,
    ),
    Sample(
        "excel.csv",
        f"\ufeffTitle;Abstract;Authors;Year\nSemicolons of cats;{CATS};Ann Lee;2015\n",
        "CSV",
        (("Semicolons of cats", 2015),),
        1,
    ),
    Sample(
        "zotero.rdf",
        f"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:z="http://www.zotero.org/namespaces/export#"
 xmlns:dcterms="http://purl.org/dc/terms/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:bib="http://purl.org/net/biblio#"
 xmlns:foaf="http://xmlns.com/foaf/0.1/" xmlns:link="http://purl.org/rss/1.0/modules/link/">
 <bib:Article rdf:about="https://example.org/cats">
  <z:itemType>journalArticle</z:itemType>
  <dcterms:isPartOf><bib:Journal><dc:title>Journal of Cats</dc:title><dc:identifier>DOI 10.1000/rdf</dc:identifier></bib:Journal></dcterms:isPartOf>
  <bib:authors><rdf:Seq><rdf:li><foaf:Person><foaf:surname>Lee</foaf:surname><foaf:givenName>Ann</foaf:givenName></foaf:Person></rdf:li></rdf:Seq></bib:authors>
  <dc:title>Cats as triples</dc:title><dc:date>May 2011</dc:date><dcterms:abstract>{CATS}</dcterms:abstract>
 </bib:Article>
 <z:Attachment rdf:about="#item_2"><z:itemType>attachment</z:itemType><dc:title>Full Text PDF</dc:title></z:Attachment>
</rdf:RDF>""",
        "Zotero RDF",
        (("Cats as triples", 2011),),
        1,
    ),
    Sample(
        "arxiv-metadata.json",
        "\n".join(
            json.dumps(each)
            for each in (
                {
                    "id": "0704.0001",
                    "submitter": "C",
                    "authors": "C. Balázs, E. L. Berger (Argonne, USA) and P. Nadolsky",
                    "title": "Prompt cats at\n  the LHC",
                    "journal-ref": None,
                    "doi": None,
                    "categories": "hep-ph",
                    "abstract": f"  {CATS}\n",
                    "versions": [{"version": "v1", "created": "Mon, 2 Apr 2007 19:18:42 GMT"}],
                    "update_date": "2008-11-26",
                    "authors_parsed": [["Balázs", "C.", ""], ["Berger", "E. L.", ""], ["Nadolsky", "P.", "Jr"]],
                },
                {"id": "hep-th/9901001", "authors": "A. B", "title": "Old cats", "categories": "hep-th", "abstract": CATS},
            )
        ),
        "arXiv JSON",
        (("Prompt cats at the LHC", 2007), ("Old cats", 1999)),
        2,
    ),
    Sample(
        "atom.xml",
        f"""<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom"><title>arXiv Query</title>
<entry><id>http://arxiv.org/abs/2101.00001v3</id><title>Cats of
  Atom</title><summary> {CATS} </summary><published>2021-01-01T00:00:00Z</published><author><name>Ann Lee</name></author>
<arxiv:doi>10.1000/atom</arxiv:doi></entry>
<entry><id>http://arxiv.org/api/errors#x</id><title>Error</title><summary>malformed id</summary></entry></feed>""",
        "arXiv Atom",
        (("Cats of Atom", 2021), "an error of the arXiv API: malformed id"),
        1,
    ),
    Sample(
        "openreview1.json",
        json.dumps(
            {
                "notes": [
                    {
                        "id": "HkghWScuoQ",
                        "forum": "HkghWScuoQ",
                        "replyto": None,
                        "invitation": "ICLR.cc/2019/Conference/-/Blind_Submission",
                        "cdate": 1540035843524,
                        "content": {"title": "Reviewed cats", "abstract": CATS, "authors": ["Ann Lee"]},
                    },
                    {"id": "r1eview", "forum": "HkghWScuoQ", "replyto": "HkghWScuoQ", "content": {"title": "Review", "review": "Good."}},
                ]
            }
        ),
        "OpenReview",
        (("Reviewed cats", 2019), "a review or comment, not a paper"),
        1,
    ),
    Sample(
        "openreview2.jsonl",
        json.dumps(
            {
                "id": "abcDEF1234",
                "forum": "abcDEF1234",
                "invitations": ["ICLR.cc/2024/Conference/-/Submission"],
                "content": {
                    "title": {"value": "Cats of version two"},
                    "abstract": {"value": CATS},
                    "authors": {"value": ["Ann Lee", "Bob Ray"]},
                    "venue": {"value": "ICLR 2024 poster"},
                },
            }
        ),
        "OpenReview",
        (("Cats of version two", 2024),),
        1,
    ),
    Sample(
        "s2.json",
        json.dumps(
            {
                "total": 1,
                "data": [
                    {
                        "paperId": "5d10faffeae5e9f2ae868626b29e6e9b8047cecb",
                        "externalIds": {"ArXiv": "2101.00002", "DOI": "10.1000/s2", "PubMed": "77"},
                        "title": "Scholarly cats",
                        "abstract": None,
                        "year": 2021,
                        "venue": "",
                        "journal": {"name": "Cats"},
                        "authors": [{"authorId": "1", "name": "Ann Lee"}],
                    }
                ],
            }
        ),
        "Semantic Scholar",
        (("Scholarly cats", 2021),),
        0,
    ),
    Sample(
        "openalex.json",
        json.dumps(
            {
                "meta": {"count": 1},
                "results": [
                    {
                        "id": "https://openalex.org/W2741809807",
                        "doi": "https://doi.org/10.1000/alex",
                        "title": "Inverted cats",
                        "publication_year": 2018,
                        "authorships": [{"author": {"display_name": "Ann Lee"}}],
                        "primary_location": {"source": {"display_name": "PeerC"}},
                        "abstract_inverted_index": {"Cats": [0, 2], "chase": [1]},
                    }
                ],
            }
        ),
        "OpenAlex",
        (("Inverted cats", 2018),),
        1,
    ),
    Sample(
        "anthology.xml",
        f"""<?xml version='1.0' encoding='UTF-8'?>
<collection id="P19"><volume id="1"><meta><booktitle>Proceedings of <fixed-case>ACL</fixed-case></booktitle><year>2019</year></meta>
<frontmatter><url>P19-1000</url></frontmatter>
<paper id="1"><title><fixed-case>NLP</fixed-case> for <i>cats</i> in <tex-math>O(n)</tex-math></title><author><first>Ann</first><last>Lee</last></author>
<abstract>{CATS}</abstract><url hash="x">P19-1001</url><doi>10.18653/v1/P19-1001</doi></paper></volume></collection>""",
        "ACL Anthology",
        (("NLP for cats in O(n)", 2019),),
        1,
    ),
    Sample(
        "2025-01-01-cats.md",
        f"---\ntitle: 'Posted cats: a page'\nabstract: {CATS[:23]}\n  {CATS[24:]}\nauthor:\n- given: Ann\n  family: Lee\n"
        "date: 2025-01-12\ncontainer-title: Proceedings of Cats\nopenreview: 9dsBQhoqVr\n---\n# text\n",
        "front matter",
        (("Posted cats: a page", 2025),),
        1,
    ),
    Sample(
        "cats2024.json",
        json.dumps(
            [
                {
                    "id": "a7a0e02bf3",
                    "title": "Listed cats",
                    "site": "https://proceedings.mlr.press/v256/lee24a.html",
                    "author": "Ann Lee; Bob Ray",
                    "abstract": CATS,
                    "aff": ";",
                    "track": "main",
                    "status": "Poster",
                    "bibtex": "@InProceedings{x,\n  booktitle = {Proceedings of Cats},\n  year = {2024},\n}",
                }
            ]
        ),
        "paperlists",
        (("Listed cats", 2024),),
        1,
    ),
    Sample(
        "corpus.jsonl",
        json.dumps({"_id": "4983", "title": "Cats of BEIR", "text": CATS, "metadata": {}}) + "\nnot json\n[1]\n",
        "JSON",
        (("Cats of BEIR", None), "not JSON", "not a record"),
        1,
    ),
    Sample(
        "broken.json",
        f'[{{"title": "Whole cats", "abstract": "{CATS}"}},\n {{"title": "Half cats", "abst\n {{"title": "Cats again", "year": "2021.0"}}\n]',
        "JSON",
        (("Whole cats", None), "not JSON", ("Cats again", 2021)),
        1,
    ),
    Sample(
        "pubmed.xml",
        f"""<?xml version="1.0" ?><!DOCTYPE PubmedArticleSet PUBLIC '-//NLM//DTD PubMedArticle, 1st January 2019//EN' 'https://dtd.nlm.nih.gov/x.dtd'>
<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">33387232</PMID><Article><Journal><JournalIssue><PubDate>
<MedlineDate>2000 Nov-Dec</MedlineDate></PubDate></JournalIssue><Title>Journal of Cats</Title></Journal>
<ArticleTitle>H<sub>2</sub>O &amp; cats.</ArticleTitle><Abstract><AbstractText Label="BACKGROUND">{CATS}</AbstractText>
<AbstractText Label="RESULTS">They sleep.</AbstractText></Abstract><AuthorList><Author><LastName>Lee</LastName><ForeName>Ann</ForeName></Author>
<Author><CollectiveName>Cat Group</CollectiveName></Author></AuthorList></Article></MedlineCitation><PubmedData><ArticleIdList>
<ArticleId IdType="doi">10.1000/pm</ArticleId></ArticleIdList></PubmedData></PubmedArticle>
<PubmedBookArticle><BookDocument><PMID>29262162</PMID><Book><BookTitle>StatCats</BookTitle><PubDate><Year>2023</Year></PubDate></Book>
<ArticleTitle>Qualitative cats</ArticleTitle></BookDocument></PubmedBookArticle></PubmedArticleSet>""",
        "PubMed XML",
        (("H2O & cats.", 2000), ("Qualitative cats", 2023)),
        1,
    ),
    Sample(
        "endnote.xml",
        f"""<?xml version="1.0" encoding="UTF-8" ?><xml><records><record><contributors><authors><author><style face="normal">Lee, Ann</style></author>
</authors></contributors><titles><title><style>Styled </style><style face="italic">cats</style></title><secondary-title>Cats</secondary-title></titles>
<dates><year>2012</year></dates><abstract>{CATS}</abstract><electronic-resource-num>10.1000/en</electronic-resource-num></record></records></xml>""",
        "EndNote XML",
        (("Styled cats", 2012),),
        1,
    ),
    Sample(
        "dblp.xml",
        """<?xml version="1.0"?><dblp><inproceedings key="conf/cats/Lee10"><author>Ann Lee 0001</author><author>J&ouml;rg M&uuml;ller</author>
<title>Cats of DBLP.</title><year>2010</year><booktitle>CATS</booktitle><ee>https://doi.org/10.1000/dblp</ee></inproceedings></dblp>""",
        "DBLP XML",
        (("Cats of DBLP", 2010),),
        0,
    ),
    Sample(
        "awesome.md",
        """# Awesome cats
See our [survey](https://example.org) and the [code](https://github.com/cats/cats).

- [Attention Is All Cats Need](https://arxiv.org/abs/1706.03762) - the first one
- **Cats are Few-Shot Learners**. Brown et al. NeurIPS 2020. [[Paper](https://arxiv.org/abs/2005.14165)] [[Code](https://github.com/x/y)]
- "Quoted Cats and Their Owners", ICML 2019 [pdf](https://example.org/quoted.pdf)

| Title | Link |
|---|---|
| Tabled Cats in Rows | [arXiv](https://arxiv.org/abs/2401.00001) |
""",
        "Markdown list",
        (
            ("Attention Is All Cats Need", 2017),
            ("Cats are Few-Shot Learners", 2020),
            ("Quoted Cats and Their Owners", 2019),
            ("Tabled Cats in Rows", 2024),
        ),
        0,
    ),
    Sample(
        "titles.txt",
        "NeurIPS 2024 accepted papers\n\n1. Cats that Listen\n2. On Dogs and Their Cats\n3. Learning to Purr: A Survey (2023)\n",
        "title list",
        (("Cats that Listen", 2024), ("On Dogs and Their Cats", 2024), ("Learning to Purr: A Survey", 2023)),
        0,
    ),
    Sample(
        "reading.txt",
        "1. Lee, A. Cats that read lists of cats. https://arxiv.org/abs/2301.00001\n2. Cats in the wild of the web https://doi.org/10.1000/wild\n",
        "paper list",
        (("Lee, A. Cats that read lists of cats", 2023), ("Cats in the wild of the web", None)),
        0,
    ),
)  # fmt: skip
