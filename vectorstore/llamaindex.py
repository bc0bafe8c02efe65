"""A library in LlamaIndex's words, for programs built on it: an embedding, a retriever, a vector store.

    from llama_index.core.query_engine import RetrieverQueryEngine
    engine = RetrieverQueryEngine.from_args(LibraryRetriever(library), llm=my_llm)

Nothing here reads LlamaIndex's global Settings, which fall back to a hosted model.
"""

from __future__ import annotations

from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from llama_index.vector_stores.chroma import ChromaVectorStore
from pydantic import PrivateAttr

from vectorstore.encoder import Encoder
from vectorstore.library import Library
from vectorstore.paper import Paper


class LibraryEmbedding(BaseEmbedding):
    """The library's encoder as a LlamaIndex embedding: unit vectors."""

    _encoder: Encoder = PrivateAttr()

    def __init__(self, encoder: Encoder, **settings: Any) -> None:
        super().__init__(model_name=encoder.name, **settings)
        self._encoder = encoder

    def _get_query_embedding(self, query: str) -> list[float]:
        return [float(number) for number in self._encoder.question(query).whole]

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return [
            [float(number) for number in seen.whole] for seen in self._encoder.documents([[text] for text in texts])
        ]


class LibraryRetriever(BaseRetriever):
    """Search of a library as a LlamaIndex retriever: a node a paper, its score the calibrated relevance (0 to 1)."""

    def __init__(self, library: Library, limit: int = 10, **settings: Any) -> None:
        self._library = library
        self._limit = limit
        super().__init__(**settings)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        hits = self._library.search(query_bundle.query_str, self._limit)
        return [NodeWithScore(node=paper_node(hit.paper), score=hit.relevance) for hit in hits]


def paper_node(paper: Paper) -> TextNode:
    """A paper as a LlamaIndex node with the paper's id; only its label is shown to a model beside the abstract."""
    about = {
        "label": paper.label,
        "title": paper.title or "",
        "authors": ", ".join(paper.authors),
        "year": paper.year,
        "venue": paper.venue or "",
        "url": paper.url or "",
        "file": paper.origin.file,
        "position": paper.origin.position,
    }
    hidden = [key for key in about if key != "label"]
    return TextNode(
        id_=paper.id,
        text=paper.abstract or paper.title or "",
        metadata=about,
        excluded_llm_metadata_keys=hidden,
        excluded_embed_metadata_keys=list(about),
    )


def vector_store(library: Library) -> ChromaVectorStore:
    """The library's Chroma collection as LlamaIndex sees one, to read from: whole-abstract vectors, a record a paper."""
    return ChromaVectorStore(chroma_collection=library.chroma_collection)
